import express from 'express';

const app = express();
const item = app.route('/item/:slug');

item.get((req, res) => {
  res.json({ slug: req.params.slug });
});
