import { Router } from "express"

const router = Router()

router
	.get("/chain/one", (req, res) => res.json({ n: 1 }))
	.get("/chain/two", (req, res) => res.json({ n: 2 }))

export default router
