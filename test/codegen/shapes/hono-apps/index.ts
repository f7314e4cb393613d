import { Hono } from 'hono';
import shop from './shop';

const app = new Hono();
app.route('/shop', shop);
app.get('/', (c) => c.text('Hello'));

export default app;
