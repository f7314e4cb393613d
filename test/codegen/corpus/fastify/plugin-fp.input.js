'use strict'

const fp = require('fastify-plugin')

module.exports = fp(async function (app, opts) {
  app.post('/echo', async (req, reply) => {
    return { echo: req.body.text }
  })
}, { name: 'echo' })
