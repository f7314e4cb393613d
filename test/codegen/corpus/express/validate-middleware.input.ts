import express from 'express';
import * as z from 'zod';
import { validate } from './validate';

const Query = z.object({
  lat: z.coerce.number().min(-90).max(90),
  lon: z.coerce.number().min(-180).max(180),
  units: z.enum(['metric', 'imperial']).default('metric'),
});

const app = express();

app.get('/forecast', validate({ query: Query }), (req, res) => {
  res.json({ summary: 'dry', maxC: 21 });
});
