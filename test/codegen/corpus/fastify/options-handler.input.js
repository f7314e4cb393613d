import fastify from 'fastify'

const app = fastify()

app.get('/opt', {
  preHandler: async () => {},
  handler: async (request, reply) => {
    return [1, 2, 3]
  }
})
