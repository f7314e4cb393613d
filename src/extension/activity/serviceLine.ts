import * as z from 'zod/mini';

const entrySchema = z.looseObject({
  level: z.optional(z.number()),
  time: z.optional(z.number()),
  msg: z.optional(z.string()),
});

/** An entry of the service's log, which is JSON Lines. */
export type ServiceEntry = z.infer<typeof entrySchema>;

/** Parses a line of the service's log; `undefined` for output of another kind. */
export function parseServiceLine(line: string): ServiceEntry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = z.safeParse(entrySchema, JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
