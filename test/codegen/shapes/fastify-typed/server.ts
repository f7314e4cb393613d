import { type TypeBoxTypeProvider, Type } from '@fastify/type-provider-typebox';
import fastify from 'fastify';

export const server = fastify().withTypeProvider<TypeBoxTypeProvider>();

server.get(
  '/double',
  { schema: { querystring: Type.Object({ n: Type.Number() }) } },
  async (request) => ({ twice: request.query.n * 2 }),
);
