import { type TypeBoxTypeProvider, Type } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';

export async function plugin(app: FastifyInstance) {
	app.withTypeProvider<TypeBoxTypeProvider>().route({
		method: 'POST',
		url: '/sum',
		schema: { body: Type.Object({ a: Type.Number(), b: Type.Number() }) },
		handler: async (request) => ({ sum: request.body.a + request.body.b }),
	});
}
