import { createFactory } from 'hono/factory';

const factory = createFactory();
const userRoute = factory.createApp();

const me = factory.createHandlers(async (c) => c.json({ name: 'Ada' }));

userRoute.get('/me', ...me);

export { userRoute };
