import autoload from '@fastify/autoload';
import Fastify from 'fastify';

const app = Fastify({ logger: true });
await app.register(autoload, { dir: 'routes' });

app.get('/ready', async () => ({ ready: true }));

await app.listen({ port: 3000 });
