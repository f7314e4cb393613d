import { Router } from 'express';

class Base {
  constructor() {
    this.router = Router();
  }
}

export class Shop extends Base {
  constructor() {
    super();
    this.router.get('/shop', (req, res) => res.json([]));
  }
}
