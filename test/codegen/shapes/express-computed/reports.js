const { wrap, needs } = require('./helpers');

module.exports = function (router, prefix, controllers) {
  router.get(`/api/${prefix}/report`, needs('reports'), wrap(controllers.report));
  router.get(/^\/sitemap\.(\d+)\.xml$/, wrap(controllers.sitemap));
};
