import express, { type Express, type Request, type Response } from 'express';

export class Server {
  private readonly app: Express = express();

  constructor(private readonly port: number) {
    this.routes();
  }

  private routes(): void {
    this.app.get('/status', this.status.bind(this));
    this.app.post('/jobs', (req, res) => this.create(req, res));
  }

  private status(_req: Request, res: Response): void {
    res.json({ up: true });
  }

  private create(_req: Request, res: Response): void {
    res.status(202).json({ queued: true });
  }

  listen(): void {
    this.app.listen(this.port);
  }
}
