const express = require('express');
const router = express.Router();

//////////////////////////
// Reports              //
//////////////////////////

/** A yearly report. */

router.get('/reports/:year', (req, res) => {
  res.json({ year: req.params.year });
});

// router.get('/old', old);

module.exports = router;
