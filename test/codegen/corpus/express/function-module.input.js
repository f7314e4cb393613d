module.exports = (app) => {
  // Lists what is for sale.
  app.get('/catalogue', (req, res) => {
    res.json([{ sku: 'a1', price: 3 }]);
  });
};
