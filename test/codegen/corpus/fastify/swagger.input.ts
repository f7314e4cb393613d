import swagger from '@fastify/swagger';
import Fastify from 'fastify';

const app = Fastify();

await app.register(swagger, {
  openapi: { openapi: '3.1.0', info: { title: 'Rates', version: '1' } },
});

app.get<{ Querystring: { base: string } }>(
  '/rate',
  {
    schema: {
      summary: 'The rate of a currency',
      querystring: {
        type: 'object',
        properties: { base: { type: 'string' } },
        required: ['base'],
      },
      response: {
        200: { type: 'object', properties: { rate: { type: 'number' } } },
      },
    },
  },
  async (request) => ({ rate: request.query.base.length }),
);

app.get('/free', async () => ({ free: true }));
