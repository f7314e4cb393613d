import fp from 'fastify-plugin';

export default fp(async (app) => {
	app.get('/wrapped', async () => ({ wrapped: true }));
});
