import express from 'express';

export class Routes {
  static router = express.Router();

  static {
    Routes.router.get('/static', (req, res) => res.json({ static: true }));
  }
}
