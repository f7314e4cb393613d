/** A router of its own, which has nothing to do with Express. */
class Router {
  route(options) {
    this.table = { ...this.table, [options.url]: options.handler };
  }
}

export class Pages extends Router {
  init() {
    this.route({ method: 'GET', url: '/page', handler: () => 'page' });
  }
}
