import type { FastifyInstance } from 'fastify';

export async function users(app: FastifyInstance) {
  app.get('/', async () => ({ users: [] as string[] }));
}

export async function orders(app: FastifyInstance) {
  app.get('/', async () => ({ orders: [] as string[] }));
}
