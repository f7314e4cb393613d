import type { FastifyInstance } from 'fastify';

export default async function routes(fastify: FastifyInstance): Promise<void> {
  fastify.get('/', async () => ({ ok: true }));
  fastify.get('/items/:id', async (request, reply) => {
    return reply.send({ id: 'x', stock: 3 });
  });
}
