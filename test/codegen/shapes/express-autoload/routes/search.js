module.exports = function (router) {
  router.get('/search', async function (req, res, next) {
    try {
      res.json({ q: req.query.q });
    } catch (error) {
      next(error);
    }
  });
};
