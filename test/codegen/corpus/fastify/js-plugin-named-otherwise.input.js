async function routes (f, options) {
  f.get('/k', async (request, reply) => {
    return { k: options.k }
  })
}

module.exports = routes
