import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { describeSettlement } from '../../../src/extension/chain/describeSettlement.ts';
import { readBalances } from '../../../src/extension/chain/readBalances.ts';
import { readFacilitatorRecord } from '../../../src/extension/chain/readFacilitatorRecord.ts';
import { readSettlements } from '../../../src/extension/chain/readSettlements.ts';
import { readTransaction } from '../../../src/extension/chain/readTransaction.ts';
import { nodeTransport } from '../../../src/extension/http/nodeTransport.ts';
import { decodeEvents } from '../../../src/extension/ledgerReads/decodeEvents.ts';
import { decodeTransaction } from '../../../src/extension/ledgerReads/decodeTransaction.ts';
import type { Report } from '../../../src/extension/report/report.ts';
import {
  begun as paymentBegun,
  stepBegun,
  stepDone,
} from '../../../src/extension/request/panelModel.ts';
import type { Terms } from '../../../src/extension/request/terms.ts';
import { TestFailure, type TestFailureCode } from '../../../src/extension/request/testFailure.ts';
import type { TestStep } from '../../../src/extension/request/testSteps.ts';
import { createLocalWallet } from '../../../src/extension/testPayment/localWallet.ts';
import { quoteUsdc } from '../../../src/extension/testPayment/quoteUsdc.ts';
import {
  runTestPayment,
  type TestPaymentInput,
} from '../../../src/extension/testPayment/testPayment.ts';
import { encodeHeaderMessage, USDC_CONTRACT } from '../../../src/protocol/index.ts';
import { openAccount } from '../../support/accounts.ts';
import { timesBusy } from '../../support/busyMachine.ts';
import { NOT_INSTALLED } from '../../support/canonical.ts';
import { type LocalStack, startLocalStack } from '../../support/localStack.ts';
import { type PaidSeller, sellerInstalled, startPaidSeller } from '../../support/paidSeller.ts';

describe('Activation test payment', {
  skip: sellerInstalled ? false : NOT_INSTALLED,
}, () => {
  const transport = nodeTransport();
  let stack: LocalStack;
  let seller: PaidSeller;
  let payTo = '';
  let horizonUrl = '';

  before(async () => {
    stack = await startLocalStack();
    horizonUrl = stack.ledger.urls?.horizon ?? '';
    const wallet = await createLocalWallet(
      stack.rpcUrl,
      stack.friendbotUrl,
      transport,
      new AbortController().signal,
    );
    payTo = wallet.address;
    seller = await startPaidSeller({ facilitatorUrl: stack.facilitator.url, payTo });
  });
  after(async () => {
    await seller?.stop();
    await stack?.close();
  });

  const input = (rest: Partial<TestPaymentInput> = {}): TestPaymentInput => ({
    url: seller.url,
    payToSetting: payTo,
    rpcUrl: stack.rpcUrl,
    horizonUrl,
    friendbotUrl: stack.friendbotUrl,
    pollMs: 20,
    transport,
    signal: new AbortController().signal,
    ...rest,
  });

  /** A server that answers every request the same way, and counts them. */
  async function seller402(
    status: number,
    option: Readonly<Record<string, unknown>> = {},
  ): Promise<{ url: string; server: Server; requests: () => number }> {
    let count = 0;
    const terms = () =>
      encodeHeaderMessage({
        x402Version: 2,
        accepts: [
          {
            scheme: 'exact',
            network: 'stellar:testnet',
            asset: USDC_CONTRACT,
            amount: '100000',
            payTo,
            maxTimeoutSeconds: 60,
            extra: { areFeesSponsored: true },
            ...option,
          },
        ],
      });
    const server = createServer((_, response) => {
      count += 1;
      response.writeHead(status, { 'PAYMENT-REQUIRED': terms() }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/paid`, server, requests: () => count };
  }

  it('[spec: Activation test payment/Steps] [spec: Activation test payment/5x] [spec: Activation test payment/Live] six steps in order, the payment settles, and the whole takes under three seconds', async () => {
    const steps: TestStep[] = [];
    const begun: string[] = [];
    const result = await runTestPayment(
      input({ onBegin: (name) => begun.push(name), onDone: (step) => steps.push(step) }),
    );
    const names = ['key', 'terms', 'fund', 'trustline', 'buy', 'pay'];
    assert.deepEqual(begun, names);
    assert.deepEqual(
      steps.map(({ name }) => name),
      names,
    );
    assert.equal(result.amount, 100_000n);
    assert.equal(result.payTo, payTo);
    assert.equal(result.status, 200);
    assert.match(result.settlement, /^[0-9a-f]{64}$/);
    const busy = timesBusy();
    assert.ok(result.ms < 3_000 * busy, `${result.ms} ms, ${busy.toFixed(1)} times busy`);

    // Five times the price was bought and one price was paid.
    const payer = await readBalances(horizonUrl, result.payer, transport);
    assert.equal(payer?.usdc, 400_000n);

    let shown = paymentBegun();
    for (const step of steps) {
      shown = stepDone(stepBegun(shown, step.name), step, (hash) => `http://explorer/tx/${hash}`);
    }
    assert.deepEqual(
      shown.steps.map(({ state, link }) => [state, link?.url]),
      steps.map(({ transaction }) => ['done', transaction && `http://explorer/tx/${transaction}`]),
    );

    const { settlements } = await readSettlements(horizonUrl, payTo, 10, transport);
    assert.deepEqual(
      settlements.map(({ hash, amount, from }) => ({ hash, amount, from })),
      [{ hash: result.settlement, amount: 100_000n, from: result.payer }],
    );

    const transaction = await readTransaction(horizonUrl, result.settlement, transport);
    const decoded = decodeTransaction(transaction.envelope_xdr);
    assert.equal(decoded.transfer?.from, result.payer);
    assert.equal(decoded.transfer.to, payTo);
    assert.equal(decoded.feeSource, stack.ledger.accounts.sponsor.address);
    const events = decodeEvents(transaction.result_meta_xdr ?? '');
    assert.deepEqual(
      events.map(({ topics: [name] }) => name),
      ['fee', 'transfer', 'fee'],
    );
    const moved = events[1];
    assert.deepEqual(moved?.topics.slice(1, 3), [result.payer, payTo]);
    assert.equal(moved.contract, decoded.transfer.asset);
    assert.equal(moved.data, '100000');
    assert.equal(events[0]?.topics[1], decoded.feeSource);

    const page = describeSettlement(transaction, decoded, events, undefined);
    const values = (report: Report, title: string) =>
      report.sections
        .find((section) => section.title === title)
        ?.items.map(({ label, value }) => [label, value]);
    assert.deepEqual(values(page, 'What moved')?.slice(0, 3), [
      ['Amount', '0.01 USDC'],
      ['From', result.payer],
      ['To', payTo],
    ]);
    assert.deepEqual(
      values(page, 'Events')?.map(([name]) => name),
      ['fee', 'transfer', 'fee'],
    );
    assert.match(values(page, 'Events')?.[1]?.[1] ?? '', /, 0\.01 USDC$/);
    assert.equal(page.sections.at(-1)?.raw, decoded.json);
    assert.match(
      JSON.stringify(describeSettlement(transaction, decoded, undefined, undefined)),
      /does not report/,
    );

    const { url } = stack.facilitator;
    const record = await readFacilitatorRecord(url, result.settlement, transport);
    const recorded = describeSettlement(transaction, decoded, events, undefined, record);
    assert.match(recorded.verdict, /^Money moved\./);
    assert.equal(recorded.good, true);
    const of = values(recorded, 'What the facilitator recorded');
    assert.deepEqual(of?.[0], ['State', 'settled, money moved: yes']);
    assert.deepEqual(of?.[2], ['Record', `${url}/settlements/${result.settlement}`]);
    assert.equal(await readFacilitatorRecord(url, '0'.repeat(64), transport), undefined);
  });

  it('[spec: Editor sidebar/Recent Settlements] settlements come in pages, newest first', async () => {
    const second = await runTestPayment(input());
    const first = await readSettlements(horizonUrl, payTo, 1, transport);
    assert.equal(first.settlements[0]?.hash, second.settlement);
    assert.ok(first.cursor);
    const rest = await readSettlements(horizonUrl, payTo, 10, transport, { cursor: first.cursor });
    assert.equal(rest.settlements.length, 1);
    assert.equal(rest.cursor, undefined);
  });

  const fails = (code: TestFailureCode, rest: Partial<TestPaymentInput>) =>
    assert.rejects(
      runTestPayment(input(rest)),
      (error) => error instanceof TestFailure && error.code === code,
      code,
    );

  describe('each failure has its own message', () => {
    it('endpoint down', () => fails('endpoint_down', { url: 'http://127.0.0.1:1/paid' }));

    it('not 402', async () => {
      const free = await seller402(200);
      await fails('not_paid', { url: free.url });
      free.server.close();
    });

    for (const [code, option] of [
      ['wrong_network', { network: 'eip155:8453' }],
      ['unsupported_asset', { asset: 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC' }],
      ['fees_not_sponsored', { extra: {} }],
      ['invalid_terms', { amount: '0.01' }],
      ['price_too_high', { amount: '1000000001' }],
    ] as const) {
      it(code, async () => {
        const other = await seller402(402, option);
        await fails(code, { url: other.url });
        assert.equal(other.requests(), 1);
        other.server.close();
      });
    }

    describe('[spec: Activation test payment/Distinct] the key belongs to nobody else', () => {
      it('is not the configured address', async () => {
        let own = '';
        const asked = input({
          onDone: ({ name, outcome }) => {
            if (name === 'key') own = outcome;
          },
        });
        // The setting becomes the key once there is one: no other way leads to the same address.
        Object.defineProperty(asked, 'payToSetting', { get: () => own });
        await assert.rejects(
          runTestPayment(asked),
          (error) => error instanceof TestFailure && error.code === 'own_address',
        );
        assert.equal(await readBalances(horizonUrl, own, transport), undefined);
      });

      it('is not the endpoint’s payTo, which might change between the terms and the payment', async () => {
        const terms = { payTo };
        const other = await seller402(402, terms);
        await fails('own_address', {
          url: other.url,
          transport: async (request) => {
            const funded = /[?]addr=(G[A-Z2-7]{55})/.exec(request.url)?.[1];
            if (funded !== undefined) terms.payTo = funded;
            return transport(request);
          },
        });
        // The terms, and the terms again: no payment.
        assert.equal(other.requests(), 2);
        other.server.close();
      });
    });

    it('payTo without trustline', async () => {
      const poor = await openAccount(stack);
      const other = await seller402(402, { payTo: poor.address });
      await fails('payto_without_trustline', { url: other.url });
      other.server.close();
    });

    it('nobody sells: the exchange does not have the amount', () =>
      assert.rejects(
        quoteUsdc(horizonUrl, 10n ** 17n, transport, new AbortController().signal),
        (error) => error instanceof TestFailure && error.code === 'no_liquidity',
      ));

    it('facilitator refused: its reason, and only one payment', async () => {
      const refusing = await seller402(402);
      const failure = await runTestPayment(input({ url: refusing.url })).catch((error) => error);
      assert.ok(failure instanceof TestFailure);
      assert.equal(failure.code, 'facilitator_refused');
      // The terms, the terms again, the payment.
      assert.equal(refusing.requests(), 3);
      assert.match(failure.message, /The facilitator refused the payment\./);
      refusing.server.close();
    });

    it('E4: a failing server is quoted, and never described as silent', async () => {
      const words = 'no supported payment kinds loaded';
      const server = createServer((_, response) => {
        response
          .writeHead(500, { 'content-type': 'text/html' })
          .end(`<h1>Error</h1><p>${words}</p>`);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const failure = await runTestPayment(input({ url })).catch((error) => error);
      assert.ok(failure instanceof TestFailure);
      assert.equal(failure.code, 'endpoint_failed');
      assert.match(
        failure.detail,
        /^it responded with 500: Error no supported payment kinds loaded$/,
      );
      server.close();
    });

    it('E4: a POST sends its body and headers each time, and an error after the payment is quoted', async () => {
      const asked: { method: string | undefined; body: string; key: unknown; paid: boolean }[] = [];
      const terms = await seller402(402);
      const challenge = await fetch(terms.url);
      const header = challenge.headers.get('payment-required') ?? '';
      terms.server.close();
      const server = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk) => {
          body += chunk;
        });
        request.on('end', () => {
          const paid = request.headers['payment-signature'] !== undefined;
          asked.push({ method: request.method, body, key: request.headers['x-key'], paid });
          if (paid)
            response.writeHead(500).end("Cannot read properties of undefined (reading 'x')");
          else response.writeHead(402, { 'PAYMENT-REQUIRED': header }).end('{}');
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/quote`;
      const read: Terms[] = [];
      const failure = await runTestPayment(
        input({
          url,
          method: 'POST',
          body: '{"amount":1}',
          headers: { 'x-key': 'k' },
          onTerms: (found) => read.push(found),
        }),
      ).catch((error) => error);
      assert.ok(failure instanceof TestFailure);
      assert.equal(failure.code, 'endpoint_failed_paid');
      assert.match(failure.detail, /it responded with 500: Cannot read properties of undefined/);
      const same = { method: 'POST', body: '{"amount":1}', key: 'k' };
      assert.deepEqual(asked, [
        { ...same, paid: false },
        { ...same, paid: false },
        { ...same, paid: true },
      ]);
      assert.equal(read[0]?.price, '0.01 USDC');
      assert.ok(read[0].checks.every(({ ok }) => ok));
      server.close();
    });

    /** A server that answers the paid request as a test says. */
    async function answering(paid: (response: ServerResponse) => unknown): Promise<Server> {
      const terms = await seller402(402);
      const header = (await fetch(terms.url)).headers.get('payment-required') ?? '';
      terms.server.close();
      const server = createServer((request, response) => {
        if (request.headers['payment-signature'] !== undefined) void paid(response);
        else response.writeHead(402, { 'PAYMENT-REQUIRED': header }).end('{}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }

    async function failureAt(server: Server): Promise<TestFailure> {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const failure = await runTestPayment(input({ url })).catch((error) => error);
      server.close();
      assert.ok(failure instanceof TestFailure, String(failure));
      return failure;
    }

    it('an endpoint that only claims to have settled moved no money so far', async () => {
      const claim = encodeHeaderMessage({ success: true, transaction: 'ab'.repeat(32) });
      const server = await answering((response) =>
        response.writeHead(500, { 'PAYMENT-RESPONSE': claim }).end('broken'),
      );
      const { code, message } = await failureAt(server);
      assert.equal(code, 'endpoint_failed_paid');
      assert.match(message, /responded with 500: broken; it can still settle until ledger \d+/);
    });

    it('no response: the payment can still settle until a ledger, which is named', async () => {
      const server = await answering((response) => response.destroy());
      const { code, message } = await failureAt(server);
      assert.equal(code, 'outcome_unknown');
      assert.match(message, /Nothing was paid so far; .* until ledger \d+/);
    });

    it('an error after the payment has expired: nothing was paid, and it cannot settle any more', async () => {
      const server = await answering(async (response) => {
        await stack.ledger.control('svc_advanceLedgers', { count: 40 });
        response.writeHead(500).end('too slow');
      });
      const { code, message } = await failureAt(server);
      assert.equal(code, 'not_settled');
      assert.match(message, /responded with 500: too slow/);
    });

    it('network down', () => fails('network_down', { horizonUrl: 'http://127.0.0.1:1' }));

    it('cancelled: before the payment, nothing is paid', async () => {
      const controller = new AbortController();
      await fails('cancelled', {
        signal: controller.signal,
        onDone: ({ name }) => name === 'fund' && controller.abort(),
      });
    });

    it('cancelled after the payment was sent: never "nothing was paid"', async () => {
      const controller = new AbortController();
      const failure = await runTestPayment(
        input({
          signal: controller.signal,
          transport: async (request) => {
            const response = await transport(request);
            const paid = Object.keys(request.headers ?? {}).some((name) =>
              /^payment-signature$/i.test(name),
            );
            if (paid) controller.abort();
            return response;
          },
        }),
      ).catch((error) => error);
      assert.ok(failure instanceof TestFailure);
      assert.equal(failure.code, 'outcome_unknown');
      assert.doesNotMatch(failure.message, /Nothing was paid/);
    });
  });
});
