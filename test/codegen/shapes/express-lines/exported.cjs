const { Router } = require('express');
const router = Router();
module.exports = router.get('/exported', (req, res) => res.end());
