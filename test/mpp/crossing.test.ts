import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { decodeHeaderMessage, encodeHeaderMessage } from '../../src/protocol/index.ts';
import {
  type MppChallenge,
  readChallenges,
  readReceipt,
  sourceOf,
  writeCredential,
} from '../../src/protocol/mpp/index.ts';
import { paymentRequiredSchema } from '../../src/protocol/wire/index.ts';
import {
  accountSigner,
  createX402Fetch,
  type PaymentChoice,
  type X402FetchOptions,
} from '../../src/sdk/index.ts';
import { CliProcess, temporaryFolder } from '../cli/cliProcess.ts';
import { type Answer, ask, openShop, type Shop, serve } from '../proxy/support/shop.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { OTHER_ASSET, USDC } from '../support/payment.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PRICE = 100_000n;

describe('A proxy that speaks MPP', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  let api: Awaited<ReturnType<typeof serve>>;
  /** Speaks both, and MPP alone. */
  let both: Shop;
  let alone: Shop;
  let asked: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const folder = temporaryFolder();

  const shopOf = (protocols: string): Promise<Shop> =>
    openShop(
      `
upstream: ${api.url}
payTo: ${payTo.address}
${protocols}
routes:
  GET /weather: 0.01
  POST /quote: 0.01
otherwise: closed
`,
      { facilitatorUrl: stack.facilitator.url },
    );

  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    api = await serve((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const body = Buffer.concat(pieces).toString();
        asked.push({ url: request.url ?? '', headers: request.headers, body });
        response.end(`sold ${body}`);
      });
    });
    both = await shopOf('');
    alone = await shopOf('protocols: [mpp]');
  });
  after(async () => {
    await both?.close();
    await alone?.close();
    await api?.close();
    await stack?.close();
    folder.remove();
  });
  beforeEach(() => {
    asked = [];
  });

  const received = async () => (await balancesOf(stack, payTo.address)).usdc;

  function buyer(options: Partial<X402FetchOptions> = {}) {
    const choices: PaymentChoice[] = [];
    const fetch = createX402Fetch({
      signer: accountSigner(payer.address, (hash) => payer.sign(Buffer.from(hash))),
      rpcUrl: stack.rpcUrl,
      allowedAssets: [USDC],
      maxAmount: PRICE,
      onChosen: (choice) => {
        choices.push(choice);
      },
      ...options,
    });
    return { fetch, choices };
  }

  const challengeOf = (answer: Answer): MppChallenge => {
    const [challenge] = readChallenges(String(answer.headers['www-authenticate']));
    assert.ok(challenge);
    return challenge;
  };

  async function signedTransaction(): Promise<string> {
    const expirationLedger = (await stack.network.getLatestLedger()) + 15;
    const { paymentPayload } = await freshPayment(stack, payer, payTo, {
      amount: PRICE,
      entry: { expirationLedger },
    });
    return String(paymentPayload.payload['transaction']);
  }

  const credential = (challenge: MppChallenge, transaction: string): string =>
    writeCredential({
      challenge,
      source: sourceOf('stellar:testnet', payer.address),
      payload: { type: 'transaction', transaction },
    });

  it('is paid by our SDK, which is asked by MPP alone, with a receipt of the transaction', async () => {
    const before = await received();
    const { fetch, choices } = buyer();
    const response = await fetch(`${alone.proxy.url}/weather`);
    assert.equal(response.status, 200);
    assert.equal(await response.text(), 'sold ');
    assert.deepEqual(choices, [
      { protocol: 'mpp', asset: USDC, amount: PRICE, payTo: payTo.address },
    ]);
    const receipt = readReceipt(response.headers.get('payment-receipt') ?? '');
    assert.match(receipt?.reference ?? '', /^[0-9a-f]{64}$/);
    assert.equal(response.headers.get('payment-response'), null);
    assert.match(response.headers.get('cache-control') ?? '', /^private/);
    assert.equal((await received()) - before, PRICE);
  });

  it('is paid for a body, whose digest is in the challenge', async () => {
    const { fetch } = buyer();
    const response = await fetch(`${alone.proxy.url}/quote`, { method: 'POST', body: '{"q":1}' });
    assert.equal(await response.text(), 'sold {"q":1}');
    const unpaid = await ask(alone.proxy.url, '/quote', { method: 'POST', body: '{"q":1}' });
    assert.equal(
      challengeOf(unpaid).digest,
      'sha-256=auD2YARtrc9f6EYsDgCgYttMjWe+gvQJjF6kII0ZsHY=',
    );
  });

  it('is paid by x402 if both are offered, and by MPP if the buyer prefers it', async () => {
    const { fetch, choices } = buyer();
    await fetch(`${both.proxy.url}/weather`);
    const other = buyer({ protocols: ['mpp', 'x402'] });
    await other.fetch(`${both.proxy.url}/weather`);
    const only = buyer({ protocols: ['mpp'] });
    await only.fetch(`${both.proxy.url}/weather`);
    assert.deepEqual(
      [...choices, ...other.choices, ...only.choices].map(({ protocol }) => protocol),
      ['x402', 'mpp', 'mpp'],
    );
  });

  it('is subject to the limits of the buyer', async () => {
    const before = await received();
    for (const [options, code] of [
      [{ maxAmount: PRICE - 1n }, 'max_amount_exceeded'],
      [{ sessionCeiling: PRICE - 1n }, 'max_amount_exceeded'],
      [{ allowedAssets: [OTHER_ASSET] }, 'disallowed_asset'],
      [{ protocols: ['x402'] }, 'invalid_requirements'],
    ] as const) {
      const { fetch } = buyer(options as Partial<X402FetchOptions>);
      await assert.rejects(fetch(`${alone.proxy.url}/weather`), { code, moneyMoved: 'no' });
    }
    assert.equal(await received(), before);
  });

  it('counts payments of both protocols in one budget', async () => {
    const { fetch } = buyer({ sessionCeiling: 2n * PRICE });
    await fetch(`${both.proxy.url}/weather`);
    await fetch(`${alone.proxy.url}/weather`);
    await assert.rejects(fetch(`${alone.proxy.url}/weather`), { code: 'max_amount_exceeded' });
  });

  it('is not paid in a header that the request needs for itself', async () => {
    const { fetch } = buyer();
    const headers = { authorization: 'Bearer key' };
    await assert.rejects(fetch(`${alone.proxy.url}/weather`, { headers }), {
      ...{ code: 'no_usable_payment_option', moneyMoved: 'no' },
    });
    const response = await fetch(`${both.proxy.url}/weather`, { headers });
    assert.equal(response.status, 200);
    assert.equal(asked.at(-1)?.headers.authorization, 'Bearer key');
  });

  it('passes no payment on to the API', async () => {
    await buyer().fetch(`${alone.proxy.url}/weather`, { headers: { 'accept-payment': '*/*' } });
    const { headers } = asked.at(-1) ?? assert.fail();
    assert.equal(headers.authorization, undefined);
    assert.equal(headers['accept-payment'], undefined);
    assert.equal(headers['x402-method'], 'mpp');
    assert.equal(headers['x402-payer'], payer.address);
  });

  it('sells one transaction once, whichever protocol presents it, twelve times at once', async () => {
    const unpaid = await ask(both.proxy.url, '/weather');
    const terms = String(unpaid.headers['payment-required']);
    const [accepted] = paymentRequiredSchema.parse(decodeHeaderMessage(terms)).accepts;
    for (let round = 0; round < 3; round++) {
      const before = await received();
      asked = [];
      const transaction = await signedTransaction();
      const x402 = encodeHeaderMessage({ x402Version: 2, accepted, payload: { transaction } });
      const mpp = credential(challengeOf(await ask(both.proxy.url, '/weather')), transaction);
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          const headers: Record<string, string> =
            index % 2 === 0 ? { authorization: mpp } : { 'payment-signature': x402 };
          return ask(both.proxy.url, '/weather', { headers });
        }),
      );
      assert.equal(asked.length, 1);
      assert.equal((await received()) - before, PRICE);
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [...Array(6).fill(200), ...Array(6).fill(409)]);
    }
  });

  it('gives a lost response again, and nothing at another path', async () => {
    const transaction = await signedTransaction();
    const authorization = credential(
      challengeOf(await ask(both.proxy.url, '/weather')),
      transaction,
    );
    const first = await ask(both.proxy.url, '/weather', { headers: { authorization } });
    const again = await ask(both.proxy.url, '/weather', { headers: { authorization } });
    assert.equal(first.status, 200);
    assert.deepEqual([again.status, again.body], [first.status, first.body]);
    assert.equal(again.headers['payment-receipt'], first.headers['payment-receipt']);
    const elsewhere = await ask(both.proxy.url, '/weather?more=1', { headers: { authorization } });
    assert.equal(elsewhere.status, 402);
    assert.match(String(elsewhere.body), /problems\/invalid-challenge/);
    assert.equal(asked.length, 1);
  });

  it('answers HEAD and OPTIONS without asking for a payment', async () => {
    const head = await ask(both.proxy.url, '/weather', { method: 'HEAD' });
    const options = await ask(both.proxy.url, '/weather', { method: 'OPTIONS' });
    assert.deepEqual([head.status, options.status], [200, 204]);
    for (const { headers } of [head, options]) assert.equal(headers['www-authenticate'], undefined);
  });

  it('speaks x402 alone with one line of configuration', async () => {
    const shop = await shopOf('protocols: [x402]');
    try {
      const unpaid = await ask(shop.proxy.url, '/weather');
      assert.equal(unpaid.headers['www-authenticate'], undefined);
      assert.equal(unpaid.headers['content-type'], 'application/json');
      const authorization = credential(
        challengeOf(await ask(both.proxy.url, '/weather')),
        await signedTransaction(),
      );
      const sent = await ask(shop.proxy.url, '/weather', { headers: { authorization } });
      assert.equal(sent.status, 402);
      assert.deepEqual(asked, []);
    } finally {
      await shop.close();
    }
  });

  it('is paid by svc-x402 pay', async () => {
    const { code, stdout, stderr } = await new CliProcess(['pay', `${alone.proxy.url}/weather`], {
      ...{ SVC_X402_DATA_DIR: folder.path, STELLAR_RPC_URL: stack.rpcUrl },
      PAYER_SECRET: payer.secret,
    }).ended;
    assert.equal(code, 0, stderr);
    assert.equal(stdout.trim(), 'sold');
    assert.match(stderr, /paid 0\.01 USDC to G[A-Z2-7]{55}\. Transaction [0-9a-f]{64}\./);
  });

  it('is paid by x402_call', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli, 'mcp', '--pay', '--allow-unlimited', '--ceiling', '1'],
        env: {
          ...{ PATH: process.env['PATH'] ?? '', SVC_X402_DATA_DIR: folder.path },
          ...{ FACILITATOR_URL: stack.facilitator.url, STELLAR_RPC_URL: stack.rpcUrl },
          PAYER_SECRET: payer.secret,
        },
        stderr: 'pipe',
      }),
    );
    try {
      const before = await received();
      const result = await client.callTool({
        name: 'x402_call',
        arguments: { url: `${alone.proxy.url}/weather`, maxAmount: '0.01' },
      });
      assert.match(JSON.stringify(result), /sold/);
      assert.match(JSON.stringify(result), /Paid 0\.01 USDC/);
      assert.equal((await received()) - before, PRICE);
    } finally {
      await client.close();
    }
  });

  const { MPPX_FOLDER } = process.env;
  const skip = MPPX_FOLDER ? false : 'MPPX_FOLDER names no folder with mppx from npm';
  it('is paid by mppx with a method on its public interface', { skip }, async () => {
    const modules = join(MPPX_FOLDER ?? '', 'node_modules/mppx/dist');
    const { Method, z } = await import(join(modules, 'index.js'));
    const { Mppx } = await import(join(modules, 'client/index.js'));
    const charge = Method.from({
      ...{ name: 'stellar', intent: 'charge' },
      schema: {
        credential: { payload: z.object({ type: z.string(), transaction: z.string() }) },
        request: z.looseObject({ amount: z.string(), currency: z.string(), recipient: z.string() }),
      },
    });
    const { Credential } = await import(join(modules, 'index.js'));
    const method = Method.toClient(charge, {
      async createCredential({ challenge }: { challenge: object }) {
        const transaction = await signedTransaction();
        const source = sourceOf('stellar:testnet', payer.address);
        const payload = { type: 'transaction', transaction };
        return Credential.serialize({ challenge, payload, source });
      },
    });
    const mppx = Mppx.create({ methods: [method], polyfill: false });
    for (const shop of [both, alone]) {
      const before = await received();
      const response: Response = await mppx.fetch(`${shop.proxy.url}/weather`);
      assert.equal(response.status, 200);
      assert.ok(readReceipt(response.headers.get('payment-receipt') ?? ''));
      const posted: Response = await mppx.fetch(`${shop.proxy.url}/quote`, {
        ...{ method: 'POST', body: '{"q":1}' },
      });
      assert.equal(await posted.text(), 'sold {"q":1}');
      assert.equal((await received()) - before, 2n * PRICE);
    }
  });
});
