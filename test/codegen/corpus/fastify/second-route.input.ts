import Fastify from 'fastify';

const app = Fastify();

app.get('/a', async () => ({ a: 1 }));

app.get('/b/:id', async (request) => {
  return { b: 2 };
});
