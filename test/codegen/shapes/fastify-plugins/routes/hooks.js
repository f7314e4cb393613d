export default async function (app) {
  app.addHook('preHandler', async () => {});

  /* set apart */

  app.get('/hooked', { preHandler: async () => {} }, async (request, reply) => reply.send({ hooked: true }));
}
