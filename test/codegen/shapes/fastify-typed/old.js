import Fastify from 'fastify';
const app = Fastify();
app.get('/wild/*', async (request) => request.params['*']);
app.get('/report', async () => ({ rows: [] })); app.get('/report/:year', async (request) => request.params);
export default app;
