const fastify = require('fastify')();
const tides = require('./routes/tides');

for (const route of tides) fastify.route(route);

fastify.listen({ port: 3000 });
