import * as z from 'zod/mini';

const optional = <T extends z.core.$ZodType>(schema: T) => z.optional(schema);

const itemSchema = z.object({
  /** The result of a check; absent for a plain fact. */
  state: optional(z.enum(['passed', 'failed', 'warning', 'skipped'])),
  label: z.string(),
  value: z.string(),
  /** URL of a link, with the value as its text. */
  link: optional(z.string()),
  /** The next step: text, and a command that performs it. */
  next: optional(
    z.object({
      text: z.string(),
      action: optional(z.object({ label: z.string(), command: z.string() })),
    }),
  ),
});

const sectionSchema = z.object({
  title: z.string(),
  items: z.array(itemSchema),
  /** A sentence below the items. */
  note: optional(z.string()),
  /** Data shown only on request. */
  raw: optional(z.string()),
});

const reportSchema = z.object({
  title: z.string(),
  /** The result in a sentence or two. */
  verdict: z.string(),
  good: z.boolean(),
  sections: z.array(sectionSchema),
});

/** A page that states a result first, then the evidence. It is JSON, so that it survives a reload. */
export type Report = z.infer<typeof reportSchema>;
export type ReportSection = z.infer<typeof sectionSchema>;
export type ReportItem = z.infer<typeof itemSchema>;

/** Reads a report that survived a reload; `undefined` for anything else. */
export function readReport(value: unknown): Report | undefined {
  const parsed = z.safeParse(reportSchema, value);
  return parsed.success ? parsed.data : undefined;
}
