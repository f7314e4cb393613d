import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { encodeHeaderMessage } from '../../src/protocol/index.ts';
import { accountSigner, createX402Fetch, X402Error } from '../../src/sdk/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';

const PRICE = 100_000n;
/** More than a client buffers of a body that nobody reads. */
const CHUNK = 'x'.repeat(256 * 1_024);
/** Longer than a cancelled body takes to close its connection, and shorter than an unread one is collected. */
const PATIENCE_MS = 2_000;

const NEVER_SUBMITTED = encodeHeaderMessage({
  ...{ success: false, transaction: '' },
  errorReason: 'settle_exact_stellar_transaction_submission_failed',
});

describe('[M11] Bodies that nobody reads do not keep their connections', () => {
  let local: LocalNetwork;
  let server: Server;
  let url: string;
  let payer: TestKey;
  let payTo: TestKey;
  /** Responses with a body that does not end, and the connections that they keep. */
  const endless = new Set<ServerResponse>();
  let begun = 0;
  /** What the seller answers to the next paid requests. */
  let answers: ((response: ServerResponse) => void)[] = [];

  function answerWithoutEnd(response: ServerResponse, status: number, headers: object) {
    begun += 1;
    endless.add(response);
    response.on('close', () => endless.delete(response));
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).write(CHUNK);
  }

  before(async () => {
    local = await startLocalNetwork();
    [payer, payTo] = [await openPayer(local), await openSeller(local)];
    const terms = {
      ...{ scheme: 'exact', network: 'stellar:testnet', asset: USDC, amount: `${PRICE}` },
      ...{ payTo: payTo.address, maxTimeoutSeconds: 60, extra: { areFeesSponsored: true } },
    };
    const required = encodeHeaderMessage({ x402Version: 2, accepts: [terms] });
    server = createServer((request, response) => {
      if (request.url === '/free') response.writeHead(404).end('there is no such thing');
      else if (request.headers['payment-signature'] === undefined) {
        answerWithoutEnd(response, 402, { 'PAYMENT-REQUIRED': required });
      } else answers.shift()?.(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await local.close();
  });

  const buy = (maxAmount = PRICE) =>
    createX402Fetch({
      signer: accountSigner(payer.address, payer.sign),
      rpcUrl: local.rpcUrl,
      allowedAssets: [USDC],
      maxAmount,
    });

  /** Waits until the seller has begun so many bodies without an end, and all of them are closed. */
  async function areClosed(count: number): Promise<void> {
    assert.equal(begun, count);
    const until = Date.now() + PATIENCE_MS;
    while (endless.size > 0 && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(endless.size, 0, 'connections are kept');
    begun = 0;
  }

  it('the 402’s, once it is paid; the resource is the caller’s to read', async () => {
    answers = [(response) => response.writeHead(200).end('the resource')];
    const response = await buy()(`${url}/goods`);
    await areClosed(1);
    assert.equal(await response.text(), 'the resource');
  });

  it('the 402’s, if its terms are not paid', async () => {
    await assert.rejects(buy(PRICE - 1n)(`${url}/goods`), { code: 'max_amount_exceeded' });
    await areClosed(1);
  });

  it('those of refused payments, also of the one that is presented again', async () => {
    const refuse = (response: ServerResponse) =>
      answerWithoutEnd(response, 402, { 'PAYMENT-RESPONSE': NEVER_SUBMITTED });
    answers = [refuse, refuse];
    await assert.rejects(buy()(`${url}/goods`), X402Error);
    await areClosed(3);
    answers = [refuse, (response) => response.writeHead(200).end('late')];
    assert.equal(await (await buy()(`${url}/goods`)).text(), 'late');
    await areClosed(2);
  });

  it('a response that was not paid for is the caller’s to read', async () => {
    const response = await buy()(`${url}/free`);
    assert.deepEqual([response.status, await response.text()], [404, 'there is no such thing']);
  });
});
