import Hapi from '@hapi/hapi';

const server = Hapi.server({ port: 3000 });
server.route({ method: 'GET', path: '/hapi', handler: () => 'hapi' });
