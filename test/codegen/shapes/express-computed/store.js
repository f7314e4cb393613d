// Reads of a cache and calls of an API by computed names: no routes.
module.exports = async (cache, api, id) => {
  cache.get(`/reports/${id}`, console.log);
  return api.get(`/reports/${id}`, () => undefined);
};
