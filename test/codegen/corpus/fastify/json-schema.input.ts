import Fastify from 'fastify';

const fastify = Fastify();

const opts = {
  schema: {
    querystring: {
      type: 'object',
      properties: {
        base: { type: 'string', minLength: 3, maxLength: 3, default: 'EUR' },
        at: { type: 'string', format: 'date' },
      },
      required: ['base'],
    },
    response: {
      200: {
        type: 'object',
        properties: { rate: { type: 'number' }, base: { type: 'string' } },
      },
    },
  },
};

fastify.get('/rate', opts, async (request, reply) => {
  return lookUp(request.query);
});

declare function lookUp(query: unknown): Promise<unknown>;
