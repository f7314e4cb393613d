const fastify = require('fastify')();

fastify.register(require('@fastify/swagger'));

fastify.route({
  method: 'GET',
  url: '/quote',
  schema: {
    summary: 'A quote',
    tags: ['quotes'],
  },
  handler: async () => ({ quote: 1 }),
});

module.exports = fastify;
