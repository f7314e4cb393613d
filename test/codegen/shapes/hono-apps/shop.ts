import { Hono } from 'hono';

type Bindings = { TOKEN: string };

const shop = new Hono<{ Bindings: Bindings }>();

shop.get('/items', (c) => c.json([]));

shop.get('/items/:id', async (c) => {
	const id = c.req.param('id');
	return c.json({ id });
});

shop.post('/items', async (c) => c.json(await c.req.json(), 201));

export default shop;
