import express from 'express';
const app = express();
app.get(['/colour', '/color'], (req, res) => res.json({ hex: '#000' }));
app.get(/^\/re(d|ad)$/, (req, res) => res.json({ red: true }));
app.all('/any/:thing', (req, res) => res.json(req.params));
app.get('/list', [check, audit], (req, res) => res.json([]));
export default app;
function check(req, res, next) { next(); }
function audit(req, res, next) { next(); }
