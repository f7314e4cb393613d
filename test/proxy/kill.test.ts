import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { CliProcess, temporaryFolder } from '../cli/cliProcess.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { ask, receiptIn, serve, sign } from './support/shop.ts';

/** Moments at which the proxy is killed. */
type Moment =
  | 'the API works'
  | 'before /settle arrives'
  | 'after /settle has settled'
  | 'after the response';

describe('A proxy that is killed in the middle of a sale', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  let folder: ReturnType<typeof temporaryFolder>;
  let api: Awaited<ReturnType<typeof serve>>;
  /** The facilitator, seen through a wire that can be cut. */
  let wire: Awaited<ReturnType<typeof serve>>;
  let proxy: CliProcess | undefined;
  let url = '';
  let served = 0;
  let moment: Moment | undefined;

  /** Kills the proxy if this is the moment. */
  async function kill(at: Moment): Promise<boolean> {
    if (moment !== at || proxy === undefined) return false;
    moment = undefined;
    proxy.signal('SIGKILL');
    await proxy.ended;
    return true;
  }
  async function start(...more: string[]): Promise<void> {
    const options = ['--price', '0.01', '--pay-to', payTo.address, '--facilitator', wire.url];
    const where = ['--port', '0', '--data-dir', folder.path, '--json', '--unchecked'];
    proxy = new CliProcess(['proxy', api.url, ...options, ...where, ...more]);
    url = String((await proxy.event('selling'))['url']);
  }
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    api = await serve(async (_, response) => {
      served += 1;
      if (await kill('the API works')) return response.destroy();
      response.end(`served ${served}`);
    });
    wire = await serve(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const isSettle = request.url === '/settle';
      if (isSettle && (await kill('before /settle arrives'))) return response.destroy();
      const answer = await fetch(`${stack.facilitator.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { 'content-type': 'application/json' },
        ...(request.method === 'POST' ? { body: Buffer.concat(pieces) } : {}),
      });
      const text = await answer.text();
      if (isSettle && (await kill('after /settle has settled'))) return response.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(text);
    });
  });
  afterEach(async () => {
    await proxy?.stop();
    proxy = undefined;
    folder?.remove();
  });
  after(async () => {
    await api?.close();
    await wire?.close();
    await stack?.close();
  });

  const moments = {
    after: [
      'the API works',
      'before /settle arrives',
      'after /settle has settled',
      'after the response',
    ],
    before: ['the API works', 'after /settle has settled', 'after the response'],
  } as const;
  for (const settle of ['after', 'before'] as const) {
    for (const at of moments[settle]) {
      it(`(settle: ${settle}, ${at}) delivers it for the identical request, and is paid once`, async () => {
        folder = temporaryFolder();
        served = 0;
        await start('--settle', settle);
        const { usdc: earned } = await balancesOf(stack, payTo.address);
        const headers = { 'payment-signature': await sign(stack, payer, payTo, url, '/thing') };
        moment = at;
        const first = await ask(url, '/thing', { headers }).catch(() => undefined);
        if (at === 'after the response') {
          assert.equal(first?.status, 200);
          // That it was delivered is noted once its last byte was sent.
          await new Promise((resolve) => setTimeout(resolve, 200));
          await kill(at);
        } else assert.equal(first, undefined);
        await start('--settle', settle);
        const second = await ask(url, '/thing', { headers });
        const isGone = at === 'after the response' && settle === 'before';
        assert.equal(second.status, isGone ? 410 : 200, String(second.body));
        assert.equal(receiptIn(second)['success'], true);
        if (first && !isGone) assert.deepEqual(second.body, first.body);
        assert.equal((await balancesOf(stack, payTo.address)).usdc - earned, 100_000n);
        const isServedAgain = at === 'the API works';
        assert.equal(served, isServedAgain ? 2 : 1);
      });
    }
  }
});
