import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { stdout } from 'node:process';
import { z } from 'zod';
import { dataFolderPath } from '../../machine/index.ts';
import { visibleText } from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import type { CatalogAction, CatalogOptions } from '../commandOptions.ts';
import { columns } from '../report.ts';
import { runningService } from '../serviceFile.ts';

const ANSWER_WITHIN_MS = 30_000;

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
const refusalSchema = z.object({ message: z.string() });

/** Calls the service that uses the data folder. @throws CliError if none is running or the service refuses */
async function ask<T>(
  { dataDir }: CatalogOptions,
  schema: z.ZodType<T>,
  query: string,
  body?: object,
): Promise<T> {
  const folder = resolve(dataDir ?? dataFolderPath(process.env, homedir()));
  const service = await runningService(folder);
  if (service?.facilitatorUrl == null) {
    throw new CliError(
      'usage',
      `No facilitator is running with ${folder}. Start one, or name its folder with --data-dir.`,
    );
  }
  if (service.operatorToken === undefined) {
    throw new CliError('failed', 'The running service is an older version. Restart it.');
  }
  const url = `${service.facilitatorUrl}/operator/catalog${query}`;
  const headers = {
    authorization: `Bearer ${service.operatorToken}`,
    'content-type': 'application/json',
  };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const response = await fetch(url, { ...sent, headers, signal, redirect: 'error' }).catch(
    (cause: unknown) => {
      throw new CliError('failed', `The service at ${url} did not answer.`, { cause });
    },
  );
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const refused = refusalSchema.safeParse(answer);
    const why = refused.success ? refused.data.message : `It answered with ${response.status}.`;
    throw new CliError('failed', why);
  }
  return schema.parse(answer);
}

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
  const operated = await ask(options, operatedSchema, '', { action, target, reason });
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
  const { rules } = await ask(options, stateSchema, '?limit=1');
  const rows = rules.map(({ kind, value, reason, madeAt }): [string, string] => [
    `${madeAt}  ${kind}`,
    `${visibleText(value)}${reason === '' ? '' : `  (${visibleText(reason)})`}`,
  ]);
  print(options, rules, rows.length === 0 ? 'Nothing is forbidden.' : columns(rows));
}

/** `svc-x402 catalog journal`. */
export async function listCatalogJournal(options: CatalogOptions, limit: number): Promise<void> {
  const { journal } = await ask(options, stateSchema, `?limit=${limit}`);
  const rows = journal.map((entry): [string, string] => [
    `${entry.madeAt}  ${entry.action}  ${entry.kind}`,
    `${visibleText(entry.value)}  ${entry.removed} removed${entry.reason === '' ? '' : `  (${visibleText(entry.reason)})`}`,
  ]);
  print(options, journal, rows.length === 0 ? 'The journal is empty.' : columns(rows));
}
