import Fastify from 'fastify';

const app = Fastify();

app.route({
  method: ['GET', 'POST'],
  url: '/both',
  handler: async () => ({ both: true }),
});
