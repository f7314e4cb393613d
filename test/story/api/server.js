import express from 'express';

const app = express();

app.get('/weather/:city', (request, response) => {
  response.json({ city: request.params.city, tempC: 24 });
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
