import type { FastifyPluginAsync } from 'fastify';

const routes: FastifyPluginAsync = async (fastify): Promise<void> => {
  fastify.get<{ Params: { city: string } }>('/weather/:city', async function (request) {
    return { city: request.params.city };
  });
};

export default routes;
