import { type TypeBoxTypeProvider, Type } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';

const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();

app.get('/typed', { schema: { querystring: Type.Object({ n: Type.Number() }) } }, async (request) => {
  return { twice: request.query.n * 2 };
});
