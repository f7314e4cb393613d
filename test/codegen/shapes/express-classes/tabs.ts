import express from 'express';

export class App {
	public app: express.Application;

	constructor() {
		this.app = express();

		// Health

		this.app.get('/health', (_req, res) => {
			res.json({ ok: true });
		});
	}
}
