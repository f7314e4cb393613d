export default function register(app) {

  app.get('/index', (req, res) => {

    res.json({ index: true });

  });

}
