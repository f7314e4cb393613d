import Fastify from 'fastify';

const app = Fastify();

app.get('/report', async () => ({ report: 'sunny' }));

app.get('/items/:id', async (request) => ({ params: request.params }));

await app.listen({ port: 3000 });
