export default async function routes(app) {
	app.get('/fast', async (req, res) => ({ from: 'fastify' }));
}
