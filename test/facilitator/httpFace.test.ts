import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { startFacilitator } from '../../src/server/index.ts';
import { facilitatorOptions, type LocalStack, startLocalStack } from '../support/localStack.ts';
import { paymentRequest } from '../support/payment.ts';

type Body = Record<string, unknown>;

describe('The HTTP face', () => {
  let stack: LocalStack;
  before(async () => {
    stack = await startLocalStack();
  });
  after(() => stack.close());

  async function post(path: string, body: string): Promise<{ status: number; body: Body }> {
    const response = await fetch(stack.facilitator.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    return { status: response.status, body: (await response.json()) as Body };
  }

  describe('[spec: POST /verify and POST /settle/Empty object] [spec: Settle response/errorReason] An empty object is rejected, not a success', () => {
    it('by /verify with a non-null errorReason', async () => {
      const { status, body } = await post('/verify', '{}');
      assert.equal(status, 400);
      assert.equal(body['isValid'], false);
      assert.equal(body['errorReason'], 'invalid_request');
      assert.equal(body['invalidReason'], 'invalid_request');
    });

    it('by /settle with a non-null errorReason and an empty transaction', async () => {
      const { status, body } = await post('/settle', '{}');
      assert.equal(status, 400);
      assert.equal(body['success'], false);
      assert.equal(body['errorReason'], 'invalid_request');
      assert.equal(body['transaction'], '');
      assert.equal(body['network'], 'stellar:testnet');
    });
  });

  describe('Text that is not a request', () => {
    for (const text of ['', '{', 'null', '[]', '"x"', '\u0000', '{"paymentPayload":1}']) {
      it(`${JSON.stringify(text)} is answered 400 in both forms`, async () => {
        const verify = await post('/verify', text);
        assert.equal(verify.status, 400);
        assert.equal(verify.body['isValid'], false);
        const settle = await post('/settle', text);
        assert.equal(settle.status, 400);
        assert.equal(settle.body['success'], false);
      });
    }

    it('is reported with the invalid member', async () => {
      const request = paymentRequest();
      const requirements = { ...request.paymentRequirements, amount: 1 };
      const wrong = JSON.stringify({ ...request, paymentRequirements: requirements });
      const { body } = await post('/verify', wrong);
      assert.equal(body['errorReason'], 'invalid_payment_requirements');
      assert.match(String(body['invalidMessage']), /amount/);
    });
  });

  describe('[spec: Limits/Body size] 32 KiB on /verify and /settle', () => {
    const sized = (bytes: number) => `{"pad":"${'x'.repeat(bytes - 10)}"}`;

    it('is read up to the limit', async () => {
      assert.equal(sized(32_768).length, 32_768);
      assert.equal((await post('/verify', sized(32_768))).status, 400);
    });

    it('is refused above it, in the shape that the client parses', async () => {
      const verify = await post('/verify', sized(32_769));
      assert.equal(verify.status, 413);
      assert.equal(verify.body['invalidReason'], 'body_too_large');
      const settle = await post('/settle', sized(32_769));
      assert.equal(settle.status, 413);
      assert.equal(settle.body['errorReason'], 'body_too_large');
    });

    it('is counted when its length is not declared', async () => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const request = http.request(`${stack.facilitator.url}/settle`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
        });
        request.on('response', (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on('error', reject);
        for (let i = 0; i < 40; i++) request.write('x'.repeat(1_000));
        request.end();
      });
      assert.equal(status, 413);
    });

    it('counts bytes, not letters', async () => {
      assert.equal((await post('/verify', `{"pad":"${'é'.repeat(20_000)}"}`)).status, 413);
    });
  });

  describe('Paths and methods', () => {
    it('that do not exist get a 404 in JSON', async () => {
      const { status, body } = await post('/nowhere', '{}');
      assert.equal(status, 404);
      assert.equal(body['error'], 'not_found');
    });

    it('methods that a path does not support get a 405 with the supported ones', async () => {
      for (const [path, allow, method] of [
        ['/verify', 'POST', 'GET'],
        ['/settle', 'POST', 'PUT'],
        ['/supported', 'GET', 'POST'],
        ['/health', 'GET', 'DELETE'],
      ] as const) {
        const response = await fetch(stack.facilitator.url + path, { method });
        assert.equal(response.status, 405, path);
        assert.equal(response.headers.get('allow'), allow);
        assert.equal(((await response.json()) as Body)['error'], 'method_not_allowed');
      }
    });
  });

  describe('An unforeseen failure', () => {
    it('is answered 500 in the form that the client parses, without internal details', async () => {
      let broken = false;
      const breaks = () => {
        if (broken) throw new Error('disk full at /var/log/inside');
      };
      const logged: string[] = [];
      const facilitator = await startFacilitator({
        ...facilitatorOptions(stack),
        logger: { debug() {}, info: breaks, warn: breaks, error: (_, text) => logged.push(text) },
      });
      broken = true;
      try {
        const request = JSON.stringify(paymentRequest({ x402Version: 1 }));
        for (const [path, reason] of [
          ['/verify', 'unexpected_verify_error'],
          ['/settle', 'unexpected_settle_error'],
        ] as const) {
          const response = await fetch(facilitator.url + path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: request,
          });
          assert.equal(response.status, 500);
          const text = await response.text();
          assert.equal((JSON.parse(text) as Body)['errorReason'], reason);
          assert.doesNotMatch(text, /disk full|inside|\.ts|stack/);
        }
        assert.deepEqual(logged, ['unexpected failure', 'unexpected failure']);
      } finally {
        await facilitator.close();
      }
    });
  });

  describe('Health', () => {
    it('[spec: Health/status] [spec: Health/unverifiableEntries] status is ok when live, and unverifiableEntries is absent when zero', async () => {
      const response = await fetch(`${stack.facilitator.url}/health`);
      const body = (await response.json()) as Body;
      assert.equal(body['status'], 'ok');
      assert.equal(body['reverifyPending'], 0);
      assert.equal('unverifiableEntries' in body, false);
      assert.equal(body['catalogFrozen'], false);
    });
  });
});
