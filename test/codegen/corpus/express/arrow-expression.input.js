module.exports = (app) => app.get('/x', (req, res) => res.json({ x: 1 }));
