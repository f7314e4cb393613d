import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';

const app = new Hono();

app.get(
  '/forecast/:city',
  describeRoute({
    description: 'The weather of tomorrow',
    responses: {
      200: { description: 'The forecast' },
    },
  }),
  (c) => c.json({ city: c.req.param('city'), high: 21 }),
);

export default app;
