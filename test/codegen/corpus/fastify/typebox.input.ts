import { type Static, Type } from '@sinclair/typebox';
import Fastify from 'fastify';

const Body = Type.Object({
  prompt: Type.String({ minLength: 1, description: 'What to draw' }),
  size: Type.Optional(Type.Union([Type.Literal('small'), Type.Literal('large')])),
  steps: Type.Integer({ minimum: 10, maximum: 50 }),
});

const app = Fastify();

app.post<{ Body: Static<typeof Body> }>(
  '/draw',
  { schema: { body: Body, response: { 200: Type.Object({ url: Type.String({ format: 'uri' }) }) } } },
  async (request, reply) => {
    const url = await draw(request.body);
    return reply.send({ url });
  },
);

declare function draw(body: unknown): Promise<string>;
