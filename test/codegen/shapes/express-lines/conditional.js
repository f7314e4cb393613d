import express from 'express';
const app = express();
if (process.env.NODE_ENV !== 'production') app.get('/debug', (req, res) => res.json(process.memoryUsage()));
else app.get('/quiet', (req, res) => res.end());
process.env.BETA && app.get('/beta', (req, res) => res.end());
export default app;
