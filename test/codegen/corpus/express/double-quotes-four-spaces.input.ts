import express, { Request, Response } from "express";
import { loadRates } from "./rates";

export const app = express();

app.get("/rates", async (req: Request, res: Response) => {
    const base = (req.query.base as string) ?? "USD";
    const rates = await loadRates(base);
    res.json({ base, rates });
});
