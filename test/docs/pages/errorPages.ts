import {
  DISCOVERY_CODES,
  ERROR_TABLE,
  type ErrorCode,
  SETTLE_CODES,
} from '../../../src/protocol/index.ts';
import { errorBody } from '../../../src/server/http/errorBodies.ts';
import { problemDetails } from '../../../src/server/http/policies/problemDetails.ts';
import {
  POLICY_ERRORS,
  PolicyError,
  type PolicyErrorCode,
} from '../../../src/server/policies/index.ts';
import { type Answered, answeredBy } from './answeredBy.ts';
import { CATALOG_REASON_PAGES } from './catalogReasons.ts';
import { clientFailures } from './clientFailures.ts';
import { NOTES } from './errorNotes.ts';
import { code, json, madeFrom, table } from './markdown.ts';

/** One failure, of one of the programs. */
interface Failure {
  readonly code: string;
  /** Which program reports it. */
  readonly where: string;
  readonly happened: string;
  readonly money: string;
  readonly todo: string;
  /** What else a reader may look for: names on the wire, routes, a complete answer. */
  readonly rest: string;
  /** In the index: the name on the wire, and the status. */
  readonly wire: string;
  readonly status: string;
}

const MONEY = {
  no: 'No. This payment was not made and never can be, or the request carried none.',
  not_yet:
    'Not so far. The signed authorization can still pay until its last ledger: present the same payload again.',
  yes: 'Yes. The payment was made; the hash identifies it.',
  fees: 'Not the buyer’s. The transaction failed on the ledger, and the sponsor paid the network fee.',
  unknown:
    'Not known. An earlier request might have settled the payment: look it up, or present the same payload again, before you sign another one.',
} as const;
/** Failures of which the table's one word says too little. */
const MONEY_OF: Readonly<Partial<Record<string, string>>> = {
  authorization_replayed:
    'It depends on the first presentation: `extra.moneyMoved` is `yes`, `fees`, or `unknown` until there is proof.',
  settlement_pending:
    'Not known yet. The transaction settles or fails under its hash, and never settles twice. If the server’s history does not reach back to it and no other evidence exists, the answer stays the same.',
};
const NO_PAYMENT = 'No. This request moves no money.';

function routesOf(answered: readonly Answered[]): string {
  const named = answered.map(
    ({ method, path, status }) => `${code(`${method} ${path}`)} (${status})`,
  );
  return named.length === 0 ? '' : `**Returned by** ${named.join(', ')}\n`;
}

function facilitatorFailure(name: ErrorCode): Failure {
  const row = ERROR_TABLE[name];
  const answered = answeredBy(name, (path) => !path.startsWith('/policies/'));
  const endpoint = SETTLE_CODES.includes(name)
    ? 'settle'
    : DISCOVERY_CODES.includes(name) || !answered.some(({ path }) => path === '/verify')
      ? 'discovery'
      : 'verify';
  const names = [
    ['reason', code(row.reason)],
    ['code', code(name)],
    ...(row.specification === null ? [] : [['specification', code(row.specification)]]),
    ['published facilitator', row.canonical === null ? 'has no equivalent' : code(row.canonical)],
  ];
  const note = NOTES[name];
  return {
    code: name,
    where: 'Facilitator and catalog',
    happened: row.message,
    money: DISCOVERY_CODES.includes(name) ? NO_PAYMENT : (MONEY_OF[name] ?? MONEY[row.moneyMoved]),
    todo: note === undefined ? row.fix : `${row.fix}\n\n${note}`,
    rest: `${routesOf(answered)}
${table(['Name', ''], names)}
An example answer, without \`payer\` and detail:

${json(errorBody(endpoint, { code: name }))}`,
    wire: row.reason,
    status: String(row.status),
  };
}

function gatewayFailure(name: PolicyErrorCode): Failure {
  const { status, title, fix } = POLICY_ERRORS[name];
  const answered = answeredBy(name, (path) => path.startsWith('/policies/'));
  return {
    code: name,
    where: 'Policy gateway',
    happened: `${title}.`,
    money:
      name === 'deployment_failed'
        ? 'No payment. The sponsor might have paid a network fee.'
        : NO_PAYMENT,
    todo: fix.replace(
      'that docs/policies.md describes',
      'that [policies.md](../policies.md#who-may-let-the-sponsor-pay) describes',
    ),
    rest: `${routesOf(answered)}
${json(problemDetails(new PolicyError(name)).body)}`,
    wire: name,
    status: String(status),
  };
}

function allFailures(): readonly Failure[] {
  return [
    ...(Object.keys(ERROR_TABLE) as ErrorCode[]).map(facilitatorFailure),
    ...(Object.keys(POLICY_ERRORS) as PolicyErrorCode[]).map(gatewayFailure),
    ...Object.entries(CATALOG_REASON_PAGES).map(([reason, { happened, todo }]) => ({
      code: reason,
      where: 'Catalog, after a settlement',
      happened,
      money: 'Yes: the payment settled. The reason says why the resource is not listed.',
      todo,
      rest: `**Returned in** the header \`extension-responses\` of \`POST /settle\` (base64 of JSON):

${json({ bazaar: { status: 'rejected', cataloged: false, rejectedReason: reason, reason } })}`,
      wire: reason,
      status: '200',
    })),
    ...clientFailures().map((failure) => ({ ...failure, wire: '', status: '' })),
  ];
}

function page(name: string, failures: readonly Failure[]): string {
  const several = failures.length > 1;
  const parts = failures.map(({ where, happened, money, todo, rest }) => {
    const head = several ? `## ${where}\n\n` : '';
    const level = several ? '###' : '##';
    return `${head}${level} What happened\n\n${happened}\n\n${level} Was money moved?\n\n${money}\n\n${level} What to do\n\n${todo}\n\n${rest}`;
  });
  const told = several ? '' : `${failures[0]?.where ?? ''}. `;
  return `# \`${name}\`\n\n${told}[All codes](../errors.md)\n\n${parts.join('\n')}`;
}

function indexPage(failures: readonly Failure[]): string {
  const link = (name: string) => `[${code(name)}](errors/${name}.md)`;
  const groups = [...new Set(failures.map(({ where }) => where))].map((where) => {
    const own = failures.filter((failure) => failure.where === where);
    const wired = own.some(({ status }) => status !== '');
    const rows = own.map((failure) => [
      link(failure.code),
      ...(wired ? [failure.status] : []),
      failure.happened,
    ]);
    return `## ${where}\n\n${table(['Code', ...(wired ? ['HTTP'] : []), 'Meaning'], rows)}`;
  });
  const reasons = new Map<string, string[]>();
  for (const { where, wire, code: name } of failures) {
    if (where !== 'Facilitator and catalog') continue;
    reasons.set(wire, [...(reasons.get(wire) ?? []), name]);
  }
  const byReason = [...reasons]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([reason, names]) => [code(reason), names.map(link).join(', ')]);

  return `# Errors

${madeFrom('the failure tables in the sources')}
Each code has a page with what happened, [whether money moved](money.md), and what to do. The facilitator's answers have the **reason** as
\`invalidReason\` (\`/verify\`) or \`errorReason\` (\`/settle\`) and as \`error\`; our **code** as \`reason\` and \`extra.cause\`; the
specification's name, if it has one, as \`extra.code\`; and \`extra.moneyMoved\`. The message ends with what to do.

The embedded network fails as Stellar RPC, friendbot and [Horizon](horizon.md) do, with their codes; [control](control.md) returns
JSON-RPC errors. Commands print failures as sentences ([command-line.md](command-line.md)).

${groups.join('\n')}
## By the reason on the wire

The reasons that sellers and buyers get from the facilitator (\`invalidReason\`, \`errorReason\`). Several codes can share a reason;
the code is \`extra.cause\`.

${table(['Reason', 'Code'], byReason)}`;
}

/** `docs/errors.md` and a page a code below `docs/errors/`. */
export function errorPages(): ReadonlyMap<string, string> {
  const failures = allFailures();
  const byCode = new Map<string, Failure[]>();
  for (const failure of failures) {
    byCode.set(failure.code, [...(byCode.get(failure.code) ?? []), failure]);
  }
  return new Map([
    ['docs/errors.md', indexPage(failures)],
    ...[...byCode].map(([name, own]): [string, string] => [
      `docs/errors/${name}.md`,
      page(name, own),
    ]),
  ]);
}
