import { Router } from 'express';

export const users = Router();
export const orders = Router();

users.get('/', (_req, res) => {
  res.json({ users: [] });
});

orders.get('/', (_req, res) => {
  res.json({ orders: [] });
});
