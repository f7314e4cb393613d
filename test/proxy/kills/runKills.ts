import { join } from 'node:path';
import { StrKey } from '@stellar/stellar-sdk';
import { CliProcess, temporaryFolder } from '../../cli/cliProcess.ts';
import { freePort } from '../../store/privatePostgres.ts';
import { balancesOf, openPayer, openSeller } from '../../support/accounts.ts';
import { type LocalNetwork, startLocalNetwork } from '../../support/localStack.ts';
import type { TestKey } from '../../support/payer.ts';
import {
  type Manner,
  MISUSES,
  type Misuse,
  misuse,
  type Outcome,
  outcomeOf,
  type Payment,
  send,
  sign,
  UNPAID,
  type Wish,
} from './buyer.ts';
import { startUpstream } from './upstream.ts';

const PRICE = 100_000n;
/** How long a buyer repeats one request. */
const PATIENCE_MS = 90_000;

/** A process that is killed, and started again at the same address. */
type Victim = 'proxy' | 'facilitator' | 'upstream';
type Running = Pick<CliProcess, 'signal' | 'stop' | 'ended'>;

export interface KillsOptions {
  readonly sales: number;
  readonly buyers: number;
  readonly settle: 'after' | 'before';
  /** Between two kills. */
  readonly everyMs: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface KillsReport {
  readonly kills: Readonly<Record<Victim, number>>;
  readonly requests: number;
  /** Answers that the buyer treats as if they never came. */
  readonly lostAnswers: number;
  /** Sales by how they were paid. */
  readonly manners: Readonly<Record<Manner, number>>;
  /** Attempts to get more than was paid for. */
  readonly misuses: Readonly<Record<Misuse, number>>;
  /** Authorizations for which a successful receipt came, with the response or with 410. */
  readonly delivered: number;
  readonly paidAndGone: number;
  /** Refused with 402 after they had been presented, by reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** Neither until the buyer stopped asking. */
  readonly open: number;
  /** What the seller got on the ledger, in prices. */
  readonly paidOnLedger: number;
  /** What answers and ledger disagree about; empty if they agree. */
  readonly contradictions: readonly string[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Numbers from 0 to 1 that depend on a seed only. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How a sale is paid: of eight, four by x402, three by MPP, and one by both at the same time. */
function mannerOf(sale: number): Manner {
  if (sale % 8 === 7) return 'double';
  return sale % 2 === 0 ? 'x402' : 'mpp';
}

/** Every third sale is of a POST. */
function wishOf(sale: number): Wish {
  return { target: `/thing/${sale}`, body: sale % 3 === 0 ? `{"sale":${sale}}` : undefined };
}

/** Returns why a transaction is not a successful one with this payer's authorization; `undefined` if it is. */
async function problemOf(
  { rpcUrl }: LocalNetwork,
  hash: string,
  payer: string,
): Promise<string | undefined> {
  const asked = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: { hash } };
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });
  const { result } = (await answer.json()) as {
    readonly result?: { readonly status?: string; readonly envelopeXdr?: string };
  };
  if (result?.status !== 'SUCCESS') return `${hash}: ${result?.status}`;
  const envelope = Buffer.from(result.envelopeXdr ?? '', 'base64');
  const key = Buffer.from(StrKey.decodeEd25519PublicKey(payer));
  return envelope.includes(key) ? undefined : `${hash}: of another payer`;
}

/**
 * Sells through a proxy while it, its facilitator and its upstream are killed with `kill -9`, one after another, and buyers lose
 * answers. Half of the sales are paid by x402 and half by MPP, some by both at once. A buyer signs once for each sale and repeats
 * the identical request until the answer is final, then tries to get more for the same payment. Then the ledger is asked for the transaction of each receipt, and compared with what each buyer got.
 */
export async function runKills(options: KillsOptions): Promise<KillsReport> {
  const { sales, buyers, settle, everyMs, seed, say } = options;
  // Of its own, so that buyers do not change when what is killed.
  const random = numbers(seed);
  const killRandom = numbers(seed + 1);
  const folder = temporaryFolder();
  const network = await startLocalNetwork();
  const running = new Map<Victim, Running>();
  const kills = { proxy: 0, facilitator: 0, upstream: 0 };
  try {
    const payers: TestKey[] = [];
    for (let at = 0; at < buyers; at++) payers.push(await openPayer(network, PRICE * 5_000n));
    const payTo = await openSeller(network);
    const facilitatorPort = await freePort();
    const proxyPort = await freePort();
    const upstreamPort = await freePort();
    const url = `http://127.0.0.1:${proxyPort}`;
    const starts: Readonly<Record<Victim, () => Promise<Running>>> = {
      upstream: () => startUpstream(upstreamPort),
      facilitator: () => startFacilitator(network, join(folder.path, 'service'), facilitatorPort),
      proxy: async () => {
        const terms = ['--price', '0.01', '--pay-to', payTo.address, '--settle', settle];
        const where = ['--facilitator', `http://127.0.0.1:${facilitatorPort}`, '--unchecked'];
        const own = ['--port', `${proxyPort}`, '--data-dir', join(folder.path, 'proxy'), '--json'];
        const upstream = `http://127.0.0.1:${upstreamPort}`;
        const proxy = new CliProcess(['proxy', upstream, ...terms, ...where, ...own]);
        await proxy.event('selling');
        return proxy;
      },
    };
    for (const name of ['upstream', 'facilitator', 'proxy'] as const)
      running.set(name, await starts[name]());

    let done = false;
    const killing = (async () => {
      const names = ['proxy', 'facilitator', 'upstream'] as const;
      for (let turn = 0; !done; turn++) {
        await pause(everyMs * (0.5 + killRandom()));
        const name = names[turn % names.length] ?? 'proxy';
        const victim = running.get(name);
        if (done || victim === undefined) continue;
        victim.signal('SIGKILL');
        await victim.ended;
        kills[name] += 1;
        running.set(name, await starts[name]());
      }
    })();

    let requests = 0;
    let lostAnswers = 0;
    const outcomes: Outcome[][] = payers.map(() => []);
    const contradictions: string[] = [];
    const manners = { x402: 0, mpp: 0, double: 0 };
    const misuses = Object.fromEntries(MISUSES.map((how) => [how, 0])) as Record<Misuse, number>;

    /** Presents a payment until the answer is final, and then once more in a way that must get nothing. */
    const buyOnce = async (payer: TestKey, sale: number): Promise<Outcome> => {
      const wish = wishOf(sale);
      const manner = mannerOf(sale);
      manners[manner] += 1;
      let payment: Payment | undefined;
      /** Protocols whose presentation may still be served. */
      const by = new Set(manner === 'double' ? (['x402', 'mpp'] as const) : [manner]);
      const until = Date.now() + PATIENCE_MS;
      while (Date.now() < until) {
        payment ??= await sign(network, payer, payTo, url, wish).catch(() => undefined);
        if (payment === undefined) {
          await pause(100);
          continue;
        }
        const signed = payment;
        const read = await Promise.all(
          [...by].map(async (protocol) => {
            requests += 1;
            const isLost = random() < 0.15;
            const answer = await send(url, wish, signed[protocol]).catch(() => undefined);
            if (isLost) lostAnswers += 1;
            const outcome = answer === undefined || isLost ? undefined : outcomeOf(answer, wish);
            return { protocol, outcome };
          }),
        );
        const delivered = read.filter(({ outcome }) => outcome?.kind === 'delivered');
        if (delivered.length > 1) contradictions.push(`${wish.target}: served to both protocols`);
        for (const { protocol, outcome } of delivered) {
          if (outcome?.kind !== 'delivered') continue;
          const how = MISUSES[Math.floor(random() * MISUSES.length)] ?? 'replayed';
          misuses[how] += 1;
          const problem = await misuse(how, url, wish, signed, protocol, outcome);
          if (problem !== undefined) contradictions.push(`${wish.target}: ${problem}`);
          return outcome;
        }
        for (const { protocol, outcome } of read) {
          if (outcome?.kind === 'gone') return outcome;
          if (outcome?.kind !== 'refused') continue;
          if (by.size === 1 || outcome.reason === UNPAID) return outcome;
          // With a second presentation under way, this one is refused because the other one is sold.
          by.delete(protocol);
        }
        await pause(150);
      }
      return { kind: 'open' };
    };
    let next = 0;
    const selling = payers.map(async (payer, at) => {
      while (next < sales) {
        next += 1;
        if (next % 50 === 0) say(`${next} of ${sales} sales, ${JSON.stringify(kills)}`);
        outcomes[at]?.push(await buyOnce(payer, next));
      }
    });
    await Promise.race([Promise.all(selling), killing]);
    done = true;
    await Promise.all([...selling, killing]);

    const refused: Record<string, number> = {};
    const seen = new Set<string>();
    let paidOnLedger = 0;
    for (const [at, payer] of payers.entries()) {
      const mine = outcomes[at] ?? [];
      const left = (await balancesOf(network, payer.address)).usdc;
      const spent = Number((PRICE * 5_000n - left) / PRICE);
      paidOnLedger += spent;
      const paid = mine.filter(({ kind }) => kind === 'delivered' || kind === 'gone').length;
      const open = mine.filter(({ kind }) => kind === 'open').length;
      if (spent < paid || spent > paid + open)
        contradictions.push(`buyer ${at}: ${spent} paid, ${paid} receipts, ${open} open`);
      for (const outcome of mine) {
        if (outcome.kind === 'refused')
          refused[outcome.reason] = (refused[outcome.reason] ?? 0) + 1;
        if (outcome.kind !== 'delivered' && outcome.kind !== 'gone') continue;
        if (outcome.transaction === '') continue;
        if (seen.has(outcome.transaction)) contradictions.push(`twice: ${outcome.transaction}`);
        seen.add(outcome.transaction);
        if (outcome.kind === 'delivered' && !outcome.isRight)
          contradictions.push(`another body: ${outcome.transaction}`);
        const problem = await problemOf(network, outcome.transaction, payer.address);
        if (problem !== undefined) contradictions.push(problem);
      }
    }
    const earned = Number((await balancesOf(network, payTo.address)).usdc / PRICE);
    if (earned !== paidOnLedger) contradictions.push(`earned ${earned}, spent ${paidOnLedger}`);
    const free = refused[UNPAID] ?? 0;
    if (free > 0) contradictions.push(`${free} delivered without a payment`);
    const count = (kind: Outcome['kind']): number =>
      outcomes.flat().filter((one) => one.kind === kind).length;
    return {
      ...{ kills, requests, lostAnswers, manners, misuses, delivered: count('delivered') },
      ...{ paidAndGone: count('gone'), refused, open: count('open'), paidOnLedger, contradictions },
    };
  } finally {
    await Promise.all([...running.values()].map((one) => one.stop('SIGKILL')));
    await network.close();
    folder.remove();
  }
}

async function startFacilitator(
  { ledger, rpcUrl }: LocalNetwork,
  folder: string,
  port: number,
): Promise<Running> {
  const { sponsor, channels } = ledger.accounts;
  const facilitator = new CliProcess(
    ['facilitator', '--json', '--no-restart', '--port', `${port}`, '--data-dir', folder],
    {
      STELLAR_RPC_URL: rpcUrl,
      SPONSOR_SECRET: sponsor.secret,
      CHANNEL_SECRETS: channels.map(({ secret }) => secret).join(' '),
      RATE_LIMIT_PER_MINUTE: '0',
      BUSY_PORT: 'refuse',
    },
  );
  await facilitator.event('serving');
  return facilitator;
}
