exports.next = async (request) => ({ harbour: request.params.harbour, metres: 2.4 });
exports.save = (tide) => tide;
exports.routes = (fastify) => {
  fastify.get('/tides/today', async (request, reply) => reply.send({ metres: 2 }));
};
