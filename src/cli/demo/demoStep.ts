import * as z from 'zod/mini';

const balance = z.object({ xlm: z.string(), usdc: z.string() });
const balances = z.object({ buyer: balance, seller: balance });

/** The lines that the programs of `examples/paid-api` print with `--json`. */
const stepSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('fund'), ms: z.number(), owner: z.string(), account: z.string() }),
  z.object({ step: z.literal('trustline'), ms: z.number(), owner: z.string() }),
  z.object({ step: z.literal('listening'), url: z.string(), payTo: z.string(), price: z.string() }),
  z.object({ step: z.literal('buy'), ms: z.number(), usdc: z.string() }),
  z.object({ step: z.literal('challenge'), ms: z.number(), amount: z.string(), asset: z.string() }),
  z.object({
    step: z.literal('pay'),
    ms: z.number(),
    status: z.number(),
    askMs: z.number(),
    signMs: z.number(),
    paidRequestMs: z.number(),
  }),
  z.object({
    step: z.literal('settled'),
    status: z.number(),
    payer: z.string(),
    transaction: z.string(),
    ledger: z.number(),
  }),
  z.object({ step: z.literal('balances'), before: balances, after: balances }),
  z.object({ step: z.literal('failed'), message: z.string() }),
]);

export type DemoStep = z.infer<typeof stepSchema>;

/** Reads one line of a program's output; `undefined` if it is not a step. */
export function parseDemoStep(line: string): DemoStep | undefined {
  try {
    const parsed = z.safeParse(stepSchema, JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
