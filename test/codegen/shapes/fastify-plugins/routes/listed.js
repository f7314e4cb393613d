export default async function (app) {
  app.route({ method: ['GET', 'HEAD'], url: '/both', handler: async () => 'both' });
  app.route({ method: 'DELETE', url: '/gone/:id', handler });
}

async function handler(request) {
  return { gone: request.params.id };
}
