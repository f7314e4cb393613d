import {Router} from 'express'
const r = Router()
r.get('/tight', (req, res) => { res.json({tight: true}) })
export default r
