const app = require('fastify')();

app.get('/at/:hour(^\\d{2})h', async () => ({ ok: 1 }));
