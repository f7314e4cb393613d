export default async function items(app) {
  app.decorate('items', new Map());


  // All of them

  app.get('/', async () => [...app.items.values()]);
   
  app.get('/:id', { schema: { params: { type: 'object', properties: { id: { type: 'string' } } } } }, async (request) => ({
    id: request.params.id,
  }));

  app.post('/', { schema: { body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } } }, async (request, reply) => {
    reply.code(201);
    return request.body;
  });
}
