const express = require('express'); const app = express(); app.get('/x', (req, res) => res.json({})); app.listen(1);
