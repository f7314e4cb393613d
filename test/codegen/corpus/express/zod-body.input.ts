import express from 'express';
import { z } from 'zod';

const Order = z.object({
  sku: z.string().min(3).max(12).describe('What to order'),
  quantity: z.number().int().positive().default(1),
  express: z.boolean().optional(),
  tags: z.array(z.string()).max(5).optional(),
  email: z.string().email(),
});

const app = express();
app.use(express.json());

app.post('/orders', (req, res) => {
  const order = Order.safeParse(req.body);
  if (!order.success) {
    return res.status(400).json({ error: order.error.message });
  }
  res.status(201).json({ id: 'o-1', ...order.data });
});
