import express from 'express';

const port = process.env['PORT'] ?? '3000';
const app = express();

app.patch('/profile', express.json(), (req, res) => {
  const { name, age } = req.body;
  res.json({ name, age: Number(age) });
});

app.listen(port);
