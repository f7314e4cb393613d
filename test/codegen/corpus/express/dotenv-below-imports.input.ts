import express from 'express';
import dotenv from 'dotenv';
import helmet from 'helmet';

dotenv.config();

const app = express();
app.set('trust proxy', 1);
app.use(helmet());

app.get('/premium', (_req, res) => {
  res.json({ secret: 42, at: new Date().toISOString() });
});
