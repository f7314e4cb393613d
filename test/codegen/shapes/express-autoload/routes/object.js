const handlers = {
  ping: (req, res) => res.json({ pong: true }),
};

exports.register = (app) => app.get('/ping', handlers.ping);
