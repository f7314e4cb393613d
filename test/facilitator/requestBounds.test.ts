import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { toScAddress } from '../../src/protocol/stellar/index.ts';
import { startFacilitator } from '../../src/server/index.ts';
import { facilitatorOptions, type LocalStack, startLocalStack } from '../support/localStack.ts';
import { paymentRequest, USDC } from '../support/payment.ts';
import { post } from '../support/post.ts';

describe('The limits of a request', () => {
  let stack: LocalStack;
  before(async () => {
    stack = await startLocalStack();
  });
  after(() => stack.close());

  /** Sends these exact bytes, and returns everything received until the connection ends. */
  function raw(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(stack.facilitator.port, '127.0.0.1', () => socket.write(bytes));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('end', () => resolve(answer));
      socket.on('error', reject);
    });
  }
  const bodyOf = (answer: string) =>
    JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, unknown>;

  describe('JSON', () => {
    const nested = (depth: number) => {
      const request = paymentRequest();
      let resource: unknown = 'deep';
      for (let i = 0; i < depth; i++) resource = [resource];
      return { ...request, paymentPayload: { ...request.paymentPayload, resource } };
    };

    it('is accepted as deep as any declaration needs, and refused beyond', async () => {
      const taken = await post(stack.facilitator.url, '/verify', nested(60));
      assert.equal(taken.status, 200);
      for (const path of ['/verify', '/settle']) {
        const refused = await post(stack.facilitator.url, path, nested(70));
        assert.equal(refused.status, 400);
        assert.equal(refused.body.errorReason, 'invalid_request');
      }
    });

    it('is refused at the maximum depth in 32 KiB, without a fault', async () => {
      for (const text of ['['.repeat(32_768), '{"a":'.repeat(6_553), '[{"a":'.repeat(5_461)]) {
        const { status } = await post(stack.facilitator.url, '/settle', text);
        assert.equal(status, 400);
      }
    });

    it('brackets in strings do not count', async () => {
      const request = paymentRequest();
      const resource = '[{'.repeat(200).concat('\\"[');
      const payload = { ...request.paymentPayload, resource };
      const { status } = await post(stack.facilitator.url, '/verify', {
        ...request,
        paymentPayload: payload,
      });
      assert.equal(status, 200);
    });
  });

  describe('XDR', () => {
    it('nested as deep as the body allows is malformed or refused, and never a fault', async () => {
      const address = xdr.ScVal.scvAddress(toScAddress(USDC));
      const vec = xdr.ScVal.scvVec([xdr.ScVal.scvVoid()]);
      const shallow = paymentRequest({ args: [address, address, vec], entries: [] });
      const bytes = Buffer.from(String(shallow.paymentPayload.payload.transaction), 'base64');
      // One level of a vector: its type, that it is there, and that it holds one value.
      const level = Buffer.from('000000100000000100000001', 'hex');
      const at = bytes.indexOf(level);
      const deep = (depth: number) =>
        Buffer.concat([
          bytes.subarray(0, at),
          ...Array.from({ length: depth }, () => level),
          bytes.subarray(at + level.length),
        ]).toString('base64');
      for (const depth of [10, 250, 1_000, 1_400, 1_480, 1_500, 1_600, 1_900]) {
        const payload = { transaction: deep(depth) };
        const request = { ...shallow, paymentPayload: { ...shallow.paymentPayload, payload } };
        for (const path of ['/verify', '/settle']) {
          const { status, body } = await post(stack.facilitator.url, path, request);
          assert.equal(status, 200, `depth ${depth}: ${JSON.stringify(body)}`);
          assert.match(body.errorReason ?? '', /_malformed$|_wrong_/);
        }
      }
    });

    it('with bytes left over, or of another form, is malformed', async () => {
      const right = String(paymentRequest().paymentPayload.payload.transaction);
      const bytes = Buffer.from(right, 'base64');
      for (const transaction of [
        Buffer.concat([bytes, Buffer.alloc(4)]).toString('base64'),
        bytes.subarray(0, -4).toString('base64'),
        right.replaceAll('+', '-').replaceAll('/', '_').concat('-_'),
        `${right}\n`,
        bytes.toString('hex'),
        '',
      ]) {
        const request = paymentRequest();
        const paymentPayload = { ...request.paymentPayload, payload: { transaction } };
        const { body } = await post(stack.facilitator.url, '/verify', {
          ...request,
          paymentPayload,
        });
        assert.equal(body.errorReason, 'invalid_exact_stellar_payload_malformed');
      }
    });
  });

  describe('HTTP', () => {
    it('that is invalid is answered 400 in JSON, and the connection ends', async () => {
      const answer = await raw('this is not HTTP\r\n\r\n');
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.equal(bodyOf(answer)['error'], 'invalid_http');
    });

    it('an invalid Host, or one spelt otherwise, is answered 400 in JSON', async () => {
      for (const host of [
        'evil@localhost',
        'local host',
        'localhost:99999',
        '[::1',
        '0x7f.1',
        'a/b',
      ]) {
        for (const path of ['/verify', '/settle', '/supported', '/discovery/resources']) {
          const answer = await raw(
            `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
          );
          assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, host);
          assert.equal(bodyOf(answer)['reason'], 'invalid_http', host);
        }
      }
    });

    it('headers above 16 KiB are answered 431', async () => {
      const answer = await raw(
        `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 431 /);
      assert.equal(bodyOf(answer)['error'], 'headers_too_large');
    });

    it('a request that never completes is ended with 408', { timeout: 40_000 }, async () => {
      const head =
        'POST /settle HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
      const [slowBody, slowHead] = await Promise.all([
        raw(head),
        raw('POST /settle HTTP/1.1\r\nHost:'),
      ]);
      for (const answer of [slowBody, slowHead]) {
        assert.match(answer, /^HTTP\/1\.1 408 /);
        assert.equal(bodyOf(answer)['error'], 'request_timeout');
      }
    });

    it('a connection stays in sync after refused bodies, declared or counted', async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const send = (body: string, chunked: boolean) =>
        new Promise<number | undefined>((resolve, reject) => {
          const request = http.request(`${stack.facilitator.url}/settle`, {
            method: 'POST',
            agent,
            headers: {
              'content-type': 'application/json',
              ...(chunked ? {} : { 'content-length': Buffer.byteLength(body) }),
            },
          });
          request.on('response', (response) => {
            response.resume();
            response.on('end', () => resolve(response.statusCode));
          });
          request.on('error', reject);
          request.end(body);
        });
      const large = 'x'.repeat(200_000);
      try {
        for (let i = 0; i < 50; i++) {
          assert.equal(await send(large, i % 2 === 0), 413);
          assert.equal(await send('{}', false), 400);
        }
      } finally {
        agent.destroy();
      }
    });
  });

  it('a service that is stopping refuses new requests on kept connections, and says so', async () => {
    const facilitator = await startFacilitator(facilitatorOptions(stack));
    // A request that is under way when the stop begins keeps its connection open.
    const socket = net.connect(facilitator.port, '127.0.0.1');
    await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
    const body = '{}';
    socket.write('GET /supported HTTP/1.1\r\nHost: x\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const ended = new Promise((resolve) => socket.on('close', resolve));
    const closed = facilitator.close();
    socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    await Promise.all([closed, ended]);
    assert.match(answer, /^HTTP\/1\.1 503 /);
    assert.match(answer, /connection: close/i);
    assert.equal(bodyOf(answer)['error'], 'shutting_down');
  });
});
