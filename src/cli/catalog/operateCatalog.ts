import { stdout } from 'node:process';
import { z } from 'zod';
import { visibleText } from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import type { CatalogAction, CatalogOptions } from '../commandOptions.ts';
import { askOperator } from '../operator/askOperator.ts';
import { columns } from '../report.ts';

const targetSchema = z.object({ kind: z.string(), value: z.string() });
const operatedSchema = z.object({
  target: targetSchema,
  removed: z.array(z.string()),
  changed: z.boolean(),
});
const noted = targetSchema.extend({ reason: z.string(), madeAt: z.string() });
const stateSchema = z.object({
  rules: z.array(noted),
  journal: z.array(noted.extend({ action: z.string(), removed: z.number() })),
});

function print(options: CatalogOptions, facts: object, text: string): void {
  stdout.write(`${options.json ? JSON.stringify(facts) : text}\n`);
}

const DONE = {
  delist: 'delisted until the next payment',
  forbid: 'forbidden',
  allow: 'allowed',
} as const;

/** `svc-x402 catalog delist|forbid|allow`. */
export async function changeCatalog(
  action: CatalogAction,
  target: string,
  options: CatalogOptions & { readonly reason: string },
): Promise<void> {
  const { reason } = options;
  const operated = await askOperator(options, operatedSchema, 'catalog', {
    action,
    target,
    reason,
  });
  const { kind, value } = operated.target;
  const { removed, changed } = operated;
  if (action === 'allow' && !changed) {
    throw new CliError('failed', `No rule forbids the ${kind} ${visibleText(value)}.`);
  }
  const lines = [
    `The ${kind} ${visibleText(value)} is ${DONE[action]}.`,
    ...(action === 'allow'
      ? []
      : [
          `${removed.length === 1 ? '1 entry was' : `${removed.length} entries were`} removed from the list.`,
        ]),
    ...removed.map((key) => `  ${visibleText(key)}`),
  ];
  print(options, operated, lines.join('\n'));
}

/** `svc-x402 catalog rules`. */
export async function listCatalogRules(options: CatalogOptions): Promise<void> {
  const { rules } = await askOperator(options, stateSchema, 'catalog?limit=1');
  const rows = rules.map(({ kind, value, reason, madeAt }): [string, string] => [
    `${madeAt}  ${kind}`,
    `${visibleText(value)}${reason === '' ? '' : `  (${visibleText(reason)})`}`,
  ]);
  print(options, rules, rows.length === 0 ? 'Nothing is forbidden.' : columns(rows));
}

/** `svc-x402 catalog journal`. */
export async function listCatalogJournal(options: CatalogOptions, limit: number): Promise<void> {
  const { journal } = await askOperator(options, stateSchema, `catalog?limit=${limit}`);
  const rows = journal.map((entry): [string, string] => [
    `${entry.madeAt}  ${entry.action}  ${entry.kind}`,
    `${visibleText(entry.value)}  ${entry.removed} removed${entry.reason === '' ? '' : `  (${visibleText(entry.reason)})`}`,
  ]);
  print(options, journal, rows.length === 0 ? 'The journal is empty.' : columns(rows));
}
