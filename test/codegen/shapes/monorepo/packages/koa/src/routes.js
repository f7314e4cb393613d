import Router from '@koa/router';

export const router = new Router();

router.get('/koa', async (ctx) => {
  ctx.body = { from: 'koa' };
});
