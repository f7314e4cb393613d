import * as express from 'express';
import type { Application } from 'express';

const server: Application = express();

server.post('/translate', express.json(), async (req, res) => {
  const { text, target } = req.body as { text: string; target: 'de' | 'fr' };
  res.json({ text: await translate(text, target) });
});

async function translate(text: string, target: string): Promise<string> {
  return `${target}:${text}`;
}
