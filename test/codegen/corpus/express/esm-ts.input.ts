import express from 'express';

const app = express();
app.use(express.json());

app.get('/weather/:city', (req, res) => {
  res.json({ city: req.params.city, tempC: 19 });
});

app.listen(3000, () => console.log('listening'));
