const tides = require('../controllers/public/tides');

module.exports = [
  { method: 'GET', url: '/tides/:harbour', handler: tides.next },
  {
    method: 'POST',
    url: '/tides',
    schema: { body: { type: 'object' } },
    async handler(request, reply) {
      return reply.send(tides.save(request.body));
    },
  },
];
