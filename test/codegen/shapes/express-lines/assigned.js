import express from 'express';
const app = express();
const registered = app.post('/assigned', (req, res) => {
  res.json({ registered: true });
});
export { registered };
