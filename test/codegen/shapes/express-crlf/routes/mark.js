import express from 'express';
export const router = express.Router();
router.put('/mark', (req, res) => { res.end(); });
