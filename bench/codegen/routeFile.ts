const HEAD = `import express from 'express';
import { z } from 'zod';

const app = express();
app.use(express.json());
`;

/**
 * The text of an Express app of about this many lines: endpoints with validation, and helpers and comments between them.
 */
export function routeFile(lines: number): string {
  const parts = [HEAD];
  for (let count = 6, number = 0; count < lines; count += 26, number += 1) parts.push(part(number));
  return parts.join('\n');
}

function part(number: number): string {
  return `const Query${number} = z.object({
  city: z.string().min(1).describe('Where'),
  days: z.coerce.number().int().min(1).max(7).default(3),
  units: z.enum(['metric', 'imperial']).optional(),
});

/** Finds out number ${number}. */
function find${number}(city: string, days: number): { readonly city: string; readonly days: number[] } {
  const found: number[] = [];
  for (let day = 0; day < days; day += 1) {
    found.push(day * ${number + 1} + city.length);
  }
  return { city, days: found };
}

// Returns what is known of a city.
app.get('/part${number}/:id', async (req, res, next) => {
  try {
    const { city, days, units } = Query${number}.parse(req.query);
    res.json({ id: req.params.id, city, units, ...find${number}(city, days) });
  } catch (error) {
    next(error);
  }
});
`;
}
