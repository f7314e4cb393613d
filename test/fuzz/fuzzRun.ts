import assert from 'node:assert/strict';
import http from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import {
  type FacilitatorRequest,
  settleResponseSchema,
  verifyResponseSchema,
} from '../../src/protocol/wire/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { startLocalStack } from '../support/localStack.ts';
import { type FuzzedRequest, fuzzedRequests } from './bodies.ts';

/** What a run saw. */
export interface FuzzReport {
  readonly seed: number;
  readonly bodies: number;
  /** Answers by path and status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers by the code of the failure, or `valid` and `settled`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Megabytes in use after garbage collection, over the run. */
  readonly heap: readonly number[];
}

/** Requests that are in flight at a time. */
const SIDE_BY_SIDE = 10;
/** Number of bodies after which new payments are mutated instead. */
const FRESH_EVERY = 2_000;
const HEAP_SAMPLES = 20;
/** How much the heap may grow between the first samples and the last: caches fill, nothing leaks. */
const HEAP_GROWTH_MB = 30;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

function send(
  base: string,
  agent: http.Agent,
  { path, body, chunked }: FuzzedRequest,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(chunked ? {} : { 'content-length': body.length }),
    };
    const request = http.request(base + path, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Checks what every answer must have, and returns the key to count it under. */
function outcomeOf(path: string, { status, text }: Answered): string {
  assert.ok(status === 200 || status === 400 || status === 413, `${status}: ${text}`);
  const body = JSON.parse(text) as {
    reason?: string;
    errorReason?: string | null;
    extra?: { moneyMoved?: string; transaction?: string };
  };
  if (path === '/verify') {
    const verdict = verifyResponseSchema.parse(body);
    if (verdict.isValid) return 'valid';
    assert.ok(verdict.invalidReason && verdict.errorReason);
  } else {
    const outcome = settleResponseSchema.parse(body);
    if (outcome.success) {
      assert.match(outcome.transaction, /^[0-9a-f]{64}$/);
      return 'settled';
    }
    assert.ok(outcome.errorReason);
    // A refusal of an authorization that paid names its transaction, whatever it is refused for; no other one has a hash.
    if (body.extra?.moneyMoved === 'yes') {
      assert.match(outcome.transaction, /^[0-9a-f]{64}$/);
      assert.equal(body.extra.transaction, outcome.transaction);
    } else assert.equal(outcome.transaction, '', text);
  }
  return body.reason ?? assert.fail(`no code in ${text}`);
}

/**
 * Sends mutated bodies to a facilitator on an embedded network and holds every answer to the rules:
 * no 5xx, the shape that clients parse, no unhandled rejection, no broken connection,
 * memory that stays flat.
 * @throws when one does not hold, with the seed and the smallest body that shows it
 */
export async function fuzz(
  bodies: number,
  seed: number,
  progress: (done: number) => void = () => undefined,
): Promise<FuzzReport> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => {
    unhandled.push(reason);
  };
  process.on('unhandledRejection', note);
  const stack = await startLocalStack();
  const agent = new http.Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });
  const statuses: Record<string, number> = {};
  const outcomes: Record<string, number> = {};
  const heap: number[] = [];
  let done = 0;
  try {
    const payer = await openPayer(stack, 1_000_000_000n);
    const seller = await openSeller(stack);
    const templates = async (): Promise<FacilitatorRequest[]> => {
      const latest = await stack.network.getLatestLedger();
      const long = { entry: { expirationLedger: latest + 600 } };
      const patient = { requirements: { maxTimeoutSeconds: 3_600 } };
      const resource = { url: 'https://api.example/quote', description: 'A quote', tags: ['fx'] };
      const right = await freshPayment(stack, payer, seller, { ...long, ...patient });
      return [
        right,
        { ...right, paymentPayload: { ...right.paymentPayload, resource, extensions: { a: 1 } } },
        // Good in all but its fee, so that whatever else is made of it is judged before it is refused.
        await freshPayment(stack, payer, seller, { ...long, ...patient, fee: 100 }),
        await freshPayment(stack, payer, seller, {
          entry: { ...long.entry, kind: 'addressV2' },
          ...patient,
          fee: 100,
        }),
      ];
    };
    for (let batch = 0; done < bodies; batch++) {
      const size = Math.min(FRESH_EVERY, bodies - done);
      const requests = fc.array(fuzzedRequests(await templates()), {
        minLength: SIDE_BY_SIDE,
        maxLength: SIDE_BY_SIDE,
      });
      const property = fc.asyncProperty(requests, async (group) => {
        await Promise.all(
          group.map(async (request) => {
            const answer = await send(stack.facilitator.url, agent, request);
            const at = `${request.path} ${answer.status}`;
            statuses[at] = (statuses[at] ?? 0) + 1;
            const outcome = outcomeOf(request.path, answer);
            outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          }),
        );
        assert.deepEqual(unhandled, []);
        done += group.length;
        if (done % Math.ceil(bodies / HEAP_SAMPLES) < SIDE_BY_SIDE) {
          heap.push(heapMegabytes());
          progress(done);
        }
      });
      await fc.assert(property, { seed: seed + batch, numRuns: Math.ceil(size / SIDE_BY_SIDE) });
    }
    const health = (await (await fetch(`${stack.facilitator.url}/health`)).json()) as {
      channels: { free: number };
      sponsor: { reserved: string };
    };
    assert.deepEqual([health.channels.free, health.sponsor.reserved], [50, '0']);
    // The first samples still see code being compiled and caches being filled.
    const early = Math.max(...heap.slice(0, Math.ceil(heap.length / 4)));
    const late = Math.min(...heap.slice(-Math.ceil(heap.length / 4)));
    assert.ok(late - early < HEAP_GROWTH_MB, `the heap grew from ${early} to ${late} MB`);
    return { seed, bodies: done, statuses, outcomes, heap };
  } finally {
    agent.destroy();
    await stack.close();
    process.off('unhandledRejection', note);
  }
}
