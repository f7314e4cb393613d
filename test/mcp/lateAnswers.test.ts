import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client as StatelessClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as StatelessStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { temporaryFolder } from '../cli/cliProcess.ts';
import { Chain } from '../policies/support/chain.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { type AgentWithBudget, grantBudget } from './agentWithBudget.ts';
import { honest, type ScriptedSeller, startScriptedSeller } from './scriptedSeller.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

interface Given {
  readonly text: string;
  readonly isError: boolean;
}

function given(result: object): Given {
  const { content, isError } = result as { content?: unknown; isError?: unknown };
  const parts = content as { type: string; text?: string }[];
  return { text: parts.map(({ text = '' }) => text).join('\n'), isError: isError === true };
}

describe('An agent whose client stops waiting before the seller answers', () => {
  const folder = temporaryFolder();
  let stack: LocalStack;
  let chain: Chain;
  let funder: TestKey;
  let payTo: TestKey;
  let seller: ScriptedSeller;
  let agent: AgentWithBudget;
  const ends: (() => Promise<void>)[] = [];

  before(async () => {
    stack = await startLocalStack({ policyProofRequired: false });
    funder = await openPayer(stack, 1_000_000_000n);
    chain = new Chain(stack, funder);
    payTo = await openSeller(stack);
    seller = await startScriptedSeller(stack.facilitator.url, payTo.address);
    agent = await grantBudget(stack, chain, funder.address, { name: 'late', budget: '1' });
  });
  beforeEach(() => {
    seller.paid = honest;
  });
  after(async () => {
    for (const end of ends) await end();
    await seller?.close();
    await stack?.close();
    folder.remove();
  });

  const earned = async () => (await balancesOf(stack, payTo.address)).usdc;

  const command = (args: readonly string[] = []) => ({
    command: process.execPath,
    args: [cli, 'mcp', '--pay', ...args],
    env: {
      PATH: process.env['PATH'] ?? '',
      SVC_X402_DATA_DIR: folder.path,
      FACILITATOR_URL: stack.facilitator.url,
      STELLAR_RPC_URL: stack.rpcUrl,
      PAYER_SECRET: agent.secret,
      PAYER_WALLET: agent.wallet,
    },
  });

  const request = (path: string) => ({
    name: 'x402_call',
    arguments: { url: `${seller.url}${path}`, maxAmount: '0.05' },
  });

  /** Settles at once, and delivers after a time. @returns whether it has begun to deliver */
  function late(ms: number): () => boolean {
    let delivers = false;
    seller.paid = async (presented) => {
      const settled = await presented.settle();
      await pause(ms);
      delivers = true;
      await honest({ ...presented, settle: async () => settled });
    };
    return () => delivers;
  }

  /** A client that ends a call after this time. @returns the answer; `undefined` if it had stopped waiting */
  type Impatient = (path: string, timeout: number) => Promise<Given | undefined>;

  async function sdkClient(): Promise<Impatient> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ ...command(), stderr: 'pipe' }));
    ends.push(() => client.close());
    return (path, timeout) =>
      client.callTool(request(path), undefined, { timeout }).then(given, () => undefined);
  }

  async function statelessClient(): Promise<Impatient> {
    const client = new StatelessClient(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StatelessStdio({ ...command(), stderr: 'pipe' }));
    ends.push(() => client.close());
    return (path, timeout) =>
      client.callTool(request(path), { timeout }).then(given, () => undefined);
  }

  /** As the Python client up to 1.29, it stops waiting without a notice. */
  async function silentClient(args: readonly string[] = []) {
    const { command: program, args: all, env } = command(args);
    const child: ChildProcess = spawn(program, all, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const waiting = new Map<number, (result: Given) => void>();
    if (child.stdout === null) throw new Error('no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result } = JSON.parse(line) as { id?: number; result?: object };
      if (id === undefined || result === undefined || !('content' in result)) return;
      waiting.get(id)?.(given(result));
    });
    const send = (message: object) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 0, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    let next = 1;
    const call: Impatient = (path, timeout) => {
      const id = next++;
      send({ id, method: 'tools/call', params: request(path) });
      const answered = new Promise<Given>((resolve) => waiting.set(id, resolve));
      return Promise.race([
        answered,
        pause(timeout).then(() => {
          waiting.delete(id);
          return undefined;
        }),
      ]);
    };
    ends.push(async () => {
      if (child.exitCode === null) child.kill();
    });
    return { call, child };
  }

  for (const [name, open] of [
    ['@modelcontextprotocol/sdk', sdkClient],
    ['@modelcontextprotocol/client', statelessClient],
    ['a client that does not cancel', async () => (await silentClient()).call],
  ] as const) {
    it(`pays once, and the content arrives: ${name}`, { timeout: 60_000 }, async () => {
      const call = await open();
      const path = `/late/${name.replaceAll(/\W+/g, '-')}`;
      const [before, presented] = [await earned(), seller.presented];
      late(5_000);
      let answer: Given | undefined;
      let calls = 0;
      while (answer === undefined && calls < 6) {
        calls += 1;
        answer = await call(path, 2_000);
        // As a model that thinks before it calls again.
        if (calls === 1) await pause(1_000);
      }
      assert.ok(calls > 1, 'the first call was answered in time');
      assert.match(answer?.text ?? '', /the goods/);
      assert.equal(answer?.isError, false);
      assert.match(answer?.text ?? '', /^Already paid 0\.01 USDC/);
      assert.equal(seller.presented, presented + 1);
      assert.equal((await earned()) - before, 100_000n);

      // It has the content, so another call buys again.
      seller.paid = honest;
      assert.match((await call(path, 20_000))?.text ?? '', /^Paid 0\.01 USDC/);
      assert.equal((await earned()) - before, 200_000n);
    });
  }

  it('gets an answer that came after it had stopped waiting, for nothing', async () => {
    const { call } = await silentClient();
    const presented = seller.presented;
    late(5_000);
    assert.equal(await call('/unheard', 2_000), undefined);
    await pause(6_000);
    const again = await call('/unheard', 5_000);
    assert.match(again?.text ?? '', /^Already paid 0\.01 USDC.*the goods/s);
    assert.equal(seller.presented, presented + 1);
  });

  it('gets the content from another process, if the first one lost its client during the exchange', async () => {
    const first = await silentClient();
    const presented = seller.presented;
    late(3_000);
    void first.call('/lost-reader', 60_000);
    while (seller.presented === presented) await pause(50);
    first.child.stdin?.end();
    if (first.child.exitCode === null) await once(first.child, 'exit');
    const second = await silentClient();
    const answer = await second.call('/lost-reader', 10_000);
    assert.match(answer?.text ?? '', /^Already paid 0\.01 USDC.*the goods/s);
    assert.equal(seller.presented, presented + 1);
  });

  it('is answered before its client stops waiting, and calls again for the content', async () => {
    const { call } = await silentClient(['--answer-within', '1']);
    const presented = seller.presented;
    const delivers = late(4_000);
    const first = await call('/patient', 20_000);
    assert.equal(delivers(), false);
    assert.match(first?.text ?? '', /call again with the same arguments/i);
    assert.doesNotMatch(first?.text ?? '', /the goods/);
    let answer = first;
    for (let calls = 0; calls < 10 && !/the goods/.test(answer?.text ?? ''); calls++) {
      answer = await call('/patient', 20_000);
    }
    assert.match(answer?.text ?? '', /^Already paid 0\.01 USDC.*the goods/s);
    assert.equal(seller.presented, presented + 1);
  });

  it('is shown progress while the payment settles, if it asked for it', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ ...command(), stderr: 'pipe' }));
    ends.push(() => client.close());
    late(3_500);
    const seen: { progress: number; message?: string | undefined }[] = [];
    const result = await client.callTool(request('/progress'), undefined, {
      timeout: 3_000,
      resetTimeoutOnProgress: true,
      onprogress: (progress) => seen.push(progress),
    });
    assert.match(given(result).text, /^Paid 0\.01 USDC.*the goods/s);
    assert.ok(seen.length > 0);
    const values = seen.map(({ progress }) => progress);
    assert.deepEqual(
      values,
      [...new Set(values)].sort((a, b) => a - b),
    );
    assert.match(seen.at(-1)?.message ?? '', /payment/);
  });

  it('two calls with the same arguments at once pay once, and both get the content', async () => {
    const { call } = await silentClient();
    const presented = seller.presented;
    late(1_000);
    const both = await Promise.all([call('/twice', 20_000), call('/twice', 20_000)]);
    for (const one of both) assert.match(one?.text ?? '', /the goods/);
    assert.equal(seller.presented, presented + 1);
  });

  it('what is kept can be read by its owner only, and is removed once it was delivered', async () => {
    const kept = join(folder.path, 'answers');
    const before = new Set(existsSync(kept) ? readdirSync(kept) : []);
    const { call } = await silentClient();
    late(4_500);
    await call('/private', 20_000);
    const files = readdirSync(kept).filter((name) => !before.has(name));
    assert.equal(files.length, 1);
    assert.equal(statSync(kept).mode & 0o077, 0);
    for (const name of files) assert.equal(statSync(join(kept, name)).mode & 0o077, 0);
    await call('/private', 5_000);
    await call('/private', 5_000);
    assert.ok(!readdirSync(kept).includes(files[0] ?? ''));
  });

  describe('and looks at its budget or receipts in between', () => {
    it('still gets to know of the earlier payment before it pays again', async () => {
      for (const tool of ['x402_budget', 'x402_receipts']) {
        const client = new Client({ name: 'test', version: '1' });
        await client.connect(new StdioClientTransport({ ...command(), stderr: 'pipe' }));
        ends.push(() => client.close());
        const presented = seller.presented;
        let settleLater: (() => Promise<unknown>) | undefined;
        seller.paid = async ({ response, settle }) => {
          settleLater = settle;
          response.destroy();
        };
        const path = `/guarded/${tool}`;
        const call = async () => given(await client.callTool(request(path))).text;
        assert.match(await call(), /can still/);
        await settleLater?.();
        await client.callTool({ name: tool, arguments: {} });
        await client.callTool({ name: tool, arguments: {} });
        assert.match(await call(), /earlier payment of 0\.01 USDC.*Nothing was paid now/);
        assert.equal(seller.presented, presented + 1);
        seller.paid = honest;
        assert.match(await call(), /^Paid 0\.01 USDC/);
      }
    });
  });
});
