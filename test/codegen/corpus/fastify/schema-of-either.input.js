import Fastify from 'fastify';

const fastify = Fastify();

fastify.post(
  '/either',
  {
    schema: {
      body: {
        type: 'object',
        properties: {
          size: {
            oneOf: [
              { type: 'string', maxLength: 5 },
              { type: 'number', minimum: 10 },
            ],
          },
        },
      },
    },
  },
  async (request) => ({ size: request.body.size }),
);

await fastify.listen({ port: 3000 });
