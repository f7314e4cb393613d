import { type FastifyPluginAsync } from 'fastify';

interface Query {
  q: string;
  limit?: number;
}

const plugin: FastifyPluginAsync = async (instance) => {
  instance.get<{ Querystring: Query; Reply: { hits: string[] } }>('/search', async (request) => {
    return { hits: await search(request.query) };
  });
};

declare function search(query: Query): Promise<string[]>;

export default plugin;
