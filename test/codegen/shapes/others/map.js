const routes = new Map();
routes.set('/x', 1);
export const x = routes.get('/x', () => 2);
export const header = (request) => request.headers.get('accept', (value) => value);
