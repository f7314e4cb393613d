const router = require('express').Router();
router.get('/last', (req, res) => res.send('last'));
module.exports = router;