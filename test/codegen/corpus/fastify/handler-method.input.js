const app = require('fastify')();

app.route({
  method: 'PUT',
  url: '/thing',
  handler(request, reply) {
    const { name } = request.body;
    reply.send({ name });
  },
});
