export default function (instance, _options, done) {
  instance.route({
    method: 'GET',
    url: '/done',
    handler: (_request, reply) => {
      reply.send({ done: true });
    },
  });
  done();
}
