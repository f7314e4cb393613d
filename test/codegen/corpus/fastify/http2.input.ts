import Fastify from 'fastify';

// The types of an app over HTTP/2 are not those of an app over HTTP/1.
const app = Fastify({ http2: true });

app.get('/quote', async () => ({ price: 1 }));
