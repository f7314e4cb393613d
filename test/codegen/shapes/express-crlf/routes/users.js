'use strict';
const { Router } = require('express');
const router = Router();

/*
 * Users.
 */

router.get('/', list);
router.get('/:id', load, show);

module.exports = router;

function list(req, res) { res.json([]); }
function load(req, res, next) { next(); }
function show(req, res) { res.json({ id: req.params.id }); }
