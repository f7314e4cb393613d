import Fastify from 'fastify';

const app = Fastify();

app.route({
  method: 'GET',
  url: '/full/:id',
  schema: { params: { type: 'object', properties: { id: { type: 'string', description: 'Its number' } } } },
  handler: async (request, reply) => {
    reply.code(200).send({ id: 'a', full: true });
  },
});
