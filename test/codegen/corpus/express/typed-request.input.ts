import express, { type Request, type Response } from 'express';

interface SearchQuery {
  /** Words to look for. */
  q: string;
  page?: number;
  sort?: 'new' | 'best';
}

interface SearchAnswer {
  hits: { id: string; title: string }[];
  total: number;
}

const app = express();

app.get('/search', (req: Request<object, SearchAnswer, never, SearchQuery>, res: Response<SearchAnswer>) => {
  res.json(find(req.query));
});

declare function find(query: SearchQuery): SearchAnswer;
