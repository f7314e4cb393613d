const auth = require('../auth');
const orders = require('../controllers/orders');

module.exports = (app) => {
  app.get('/orders', [auth.required], orders.list);
  app.post('/orders', auth.required, orders.create);
  app.get('/orders/:id', [auth.required, auth.owner], orders.show);
};
