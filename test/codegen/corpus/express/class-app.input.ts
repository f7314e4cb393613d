import express, { type Express } from 'express';

export class Server {
  private readonly app: Express = express();

  start(port: number): void {
    this.routes();
    this.app.listen(port);
  }

  private routes(): void {
    this.app.get('/status/:service', (req, res) => {
      res.json({ service: req.params.service, up: true });
    });
  }
}
