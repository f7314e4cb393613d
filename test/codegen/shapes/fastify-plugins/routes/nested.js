export default async function (app) {
  app.register(async (v1) => {
    v1.get('/old', async () => 'old');
    v1.register(async (deep) => { deep.get('/deep', async () => 'deep'); }, { prefix: '/deeper' });
  }, { prefix: '/v1' });
}
