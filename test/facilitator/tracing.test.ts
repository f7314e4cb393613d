import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: { readonly key: string; readonly value: object }[];
}

interface Export {
  readonly resourceSpans: { readonly scopeSpans: { readonly spans: Span[] }[] }[];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

describe('[finding: O8] Traces', () => {
  const bodies: string[] = [];
  let collector: http.Server;
  let endpoint = '';

  before(async () => {
    collector = http.createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
      if (request.url === '/collect/v1/traces') bodies.push(Buffer.concat(parts).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    endpoint = `http://127.0.0.1:${port}/collect/`;
  });
  after(() => new Promise((resolve) => collector.close(resolve)));

  /** Settles a payment in a trace of the caller. */
  async function settle(stack: LocalStack): Promise<string> {
    const [payer, seller] = [await openPayer(stack), await openSeller(stack)];
    const body = JSON.stringify(await freshPayment(stack, payer, seller));
    const answer = await fetch(`${stack.facilitator.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${TRACE}-${CALLER}-01` },
      body,
    });
    assert.equal(((await answer.json()) as { success: boolean }).success, true);
    return payer.address;
  }

  it('have a span for a request, below its caller’s, and one in it for each call to the ledger', async () => {
    const stack = await startLocalStack({ traces: { endpoint, serviceName: 'the shop' } });
    const payer = await settle(stack);
    await stack.close();
    const spans = bodies.flatMap((body) =>
      (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
    const request = spans.find(({ name }) => name === 'POST /settle');
    assert.ok(request, spans.map(({ name }) => name).join());
    assert.deepEqual([request.traceId, request.parentSpanId], [TRACE, CALLER]);
    const calls = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    const names = calls.map(({ name }) => name);
    for (const name of ['rpc simulateTransaction', 'rpc sendTransaction']) {
      assert.ok(names.includes(name), names.join());
    }
    const text = bodies.join();
    assert.ok(text.includes('the shop'));
    assert.ok(!text.includes(payer), 'nothing of the payment');
  });

  it('never keep a payment waiting: it settles while the collector does not exist', async () => {
    const nowhere = 'http://127.0.0.1:9';
    const stack = await startLocalStack({ traces: { endpoint: nowhere, serviceName: 'x' } });
    await settle(stack);
    await stack.close();
  });
});
