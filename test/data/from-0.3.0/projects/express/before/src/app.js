import express from 'express';

const app = express();
app.use(express.json());

app.get('/health', (_request, response) => {
  response.json({ ok: true });
});

app.get('/report', (_request, response) => {
  response.json({ report: 'sunny' });
});

app.get('/items/:id', (request, response) => {
  response.json({ id: request.params.id });
});

app.post('/ask', (request, response) => {
  response.json({ answer: String(request.body.question).length });
});

app.listen(3000);
