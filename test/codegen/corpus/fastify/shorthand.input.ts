import Fastify from 'fastify';

const app = Fastify({ logger: true });

app.get('/weather/:city', async (request) => {
  const { city } = request.params as { city: string };
  return { city, tempC: 19 };
});

await app.listen({ port: 3000 });
