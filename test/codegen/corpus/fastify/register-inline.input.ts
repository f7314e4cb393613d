import Fastify from 'fastify';

const fastify = Fastify();

fastify.register(
  async (child) => {
    child.get('/inner', async () => {
      return { inner: true };
    });
  },
  { prefix: '/api' },
);
