import express, { type Request, type Response } from "express"

export const api = express.Router({ mergeParams: true })

api.get("/typed/:id", async (req: Request<{ id: string }>, res: Response) => {
	res.json({ id: req.params.id })
})

api.patch(
	"/typed/:id",
	express.json(),
	(req: Request<{ id: string }, unknown, { name: string }>, res: Response) => {
		res.json({ name: req.body.name })
	},
)
