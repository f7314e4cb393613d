import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RpcError, type StellarNetwork } from '../../src/server/network/index.ts';
import type { JsonRpcTransport } from '../../src/server/network/jsonRpcTransport.ts';
import { openRpcServers } from '../../src/server/network/rpcServers.ts';
import { testKey } from '../support/payer.ts';
import { ModelScene } from './modelScene.ts';
import { Life, type SimWorld } from './simWorld.ts';

/** Calls a second that the provider accepts; it asks for a pause of a second after that. */
const LIMIT = 40;
/** Calls that a payment takes here, from its simulation to the lookups of its outcome. */
const CALLS = 8;
const SECONDS = 60;
/** What counts as at once. */
const AT_ONCE_MS = 100;

/** The methods of the network that are calls, and what they are called on the wire. */
const METHODS = {
  getHealth: 'getHealth',
  getLatestLedger: 'getLatestLedger',
  getLedgerEntries: 'getLedgerEntries',
  readEntries: 'getLedgerEntries',
  glanceAt: 'getLedgerEntries',
  simulate: 'simulateTransaction',
  send: 'sendTransaction',
  lookUp: 'getTransaction',
  searchMovements: 'getEvents',
} as const satisfies Partial<Record<keyof StellarNetwork, string>>;

/** A call of the model, as it travels through the servers' gate. */
interface Held {
  readonly act: () => Promise<unknown>;
}

/** A provider that counts the calls of the last second. */
function provider(
  world: SimWorld,
): JsonRpcTransport & { readonly seen: { refused: number; accepted: number } } {
  let recent: number[] = [];
  const seen = { refused: 0, accepted: 0 };
  const call = async (method: string, params: object | undefined): Promise<unknown> => {
    recent = recent.filter((at) => world.now - at < 1_000);
    if (recent.length >= LIMIT) {
      seen.refused += 1;
      await new Promise<void>((resolve) => world.after(20, resolve));
      throw new RpcError('overloaded', method, 'HTTP 429', { status: 429, retryAfterMs: 1_000 });
    }
    recent.push(world.now);
    seen.accepted += 1;
    return (params as Held).act();
  };
  return {
    seen,
    call,
    callTogether: (calls) => calls.map(({ method, params }) => call(method, params)),
    close() {},
  };
}

/** Lets the scene's calls pass through a gate to a provider with a limit. */
function limit(scene: ModelScene) {
  const { clock } = new Life(scene.world);
  const server = provider(scene.world);
  const rpc = openRpcServers(
    {
      urls: ['http://provider.example'],
      callsPerSecond: null,
      certificateAuthority: null,
      timeoutMs: 10_000,
      maxConnections: 10,
      openTransport: () => server,
    },
    clock,
  );
  for (const [name, method] of Object.entries(METHODS)) {
    const key = name as keyof typeof METHODS;
    const act = scene.network[key] as (...args: unknown[]) => Promise<unknown>;
    const through = (...args: unknown[]) => rpc.call(method, { act: () => act(...args) });
    Object.assign(scene.network, { [key]: through });
  }
  Object.defineProperty(scene.network, 'limitedForMs', { get: () => rpc.waitMs });
  return server;
}

interface Answered {
  readonly took: number;
  readonly code: string;
}

/** Presents payments at a rate, with a ledger every second, and returns their answers. */
async function present(scene: ModelScene, perSecond: number): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  const settling: Promise<void>[] = [];
  let closing = true;
  const close = (): void => {
    if (!closing) return;
    scene.ledger.close();
    scene.world.after(1_000, close);
  };
  close();
  for (let n = 0; n < perSecond * SECONDS; n += 1) {
    const begunAt = scene.world.now;
    const settled = scene
      .settle(scene.payment({ payer: testKey(`payer ${n}`) }))
      .then((outcome) => {
        const code = outcome.status === 'settled' ? 'settled' : codeOf(outcome);
        answers.push({ took: scene.world.now - begunAt, code });
      });
    settling.push(settled);
    await scene.pass(1_000 / perSecond);
  }
  await scene.until(Promise.all(settling));
  closing = false;
  return answers;
}

const codeOf = (outcome: object): string => {
  const { rejection } = outcome as { rejection?: { code: string } };
  return rejection?.code ?? 'pending';
};

function tally(answers: readonly Answered[]): Record<string, { count: number; slowest: number }> {
  const found: Record<string, { count: number; slowest: number }> = {};
  for (const { code, took } of answers) {
    const so = found[code] ?? { count: 0, slowest: 0 };
    found[code] = { count: so.count + 1, slowest: Math.max(so.slowest, took) };
  }
  return found;
}

describe('A provider with a limit of calls', () => {
  it('at half of it, every payment settles at its first request', async () => {
    const scene = await ModelScene.open();
    limit(scene);
    const answers = await present(scene, LIMIT / 2 / CALLS);
    assert.deepEqual(Object.keys(tally(answers)), ['settled']);
  });

  it('at twice of it, those who are refused are refused at once, and the others settle', async () => {
    const scene = await ModelScene.open();
    limit(scene);
    const answers = await present(scene, (2 * LIMIT) / CALLS);
    const late = answers.filter(({ code, took }) => code !== 'settled' && took > AT_ONCE_MS);
    assert.deepEqual(tally(late), {});
    const refused = tally(answers)['ledger_limited']?.count ?? 0;
    const settled = tally(answers)['settled']?.count ?? 0;
    assert.equal(settled + refused, answers.length);
    const fitting = (LIMIT / CALLS) * SECONDS;
    assert.ok(settled > fitting / 2, `${settled} settled of ${fitting} that fit`);
  });
});
