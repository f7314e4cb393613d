import { Router, type Request, type Response } from 'express';

export default class Controller {
  public router = Router();
  public path = '/things';

  constructor() {
    this.router.get('/things', this.all);
    this.router.get('/things/:id(\\d+)', this.one);
    this.router.get(`${this.path}/newest`, this.one);
  }

  private all = async (_req: Request, res: Response) => {
    res.json([]);
  };

  private one = async (req: Request, res: Response) => {
    res.json({ id: req.params.id });
  };
}
