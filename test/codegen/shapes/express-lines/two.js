import express from 'express';
const app = express();
app.get('/first', (req, res) => res.end()); app.get('/second', (req, res) => res.end());
export default app;
