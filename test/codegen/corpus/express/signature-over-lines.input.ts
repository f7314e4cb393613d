import express from 'express';
import { auth } from './auth.js';
import { limit } from './limit.js';

const app = express();

app
  .get(
    '/reports/:year/:month',
    auth,
    limit({ perMinute: 10 }),
    async (
      req,
      res,
      next,
    ) => {
      try {
        const format = req.query.format || 'pdf';
        res.json({ year: Number(req.params.year), month: req.params.month, format });
      } catch (error) {
        next(error);
      }
    },
  );
