import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { MAX_REQUESTS_AHEAD } from '../../src/server/http/listen.ts';
import { MAX_REFUSALS } from '../../src/server/http/rateLimit/index.ts';
import {
  type FacilitatorOptions,
  type RunningFacilitator,
  startFacilitator,
} from '../../src/server/index.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';

const PER_MINUTE = 10;
const SENT = 5_000;
/** Only ends a hang. */
const HANG_MS = 30_000;

describe('A client far over its limit is disconnected', () => {
  let local: LocalNetwork;
  before(async () => {
    local = await startLocalNetwork();
  });
  after(() => local.close());

  async function limited(
    options: Partial<FacilitatorOptions>,
    what: (facilitator: RunningFacilitator) => Promise<void>,
  ): Promise<void> {
    const { rateLimitPerMinute: _, ...rest } = facilitatorOptions(local);
    const facilitator = await startFacilitator({
      ...rest,
      rateLimitPerMinute: PER_MINUTE,
      ...options,
    });
    try {
      await what(facilitator);
    } finally {
      await facilitator.close();
    }
  }

  const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

  /** Sends bytes, and returns the answers that came before the service closed the connection. */
  function exchange(base: string, bytes: string): Promise<readonly string[]> {
    const { hostname, port } = new URL(base);
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.setTimeout(HANG_MS, () => {
        socket.destroy();
        reject(new Error(`not closed after ${text.split('HTTP/1.1 ').length - 1} answers`));
      });
      socket.setEncoding('latin1');
      socket.on('data', (piece: string) => {
        text += piece;
      });
      // What is still being sent when the service closes is lost.
      socket.on('error', () => undefined);
      socket.on('close', () =>
        resolve(text.split(/(?=HTTP\/1\.1 \d{3})/).filter((one) => one !== '')),
      );
    });
  }

  /** Requests of a route that the service has handled, by its own count. */
  async function handled(base: string, route: string): Promise<number> {
    const text = await (await fetch(`${base}/metrics`)).text();
    return text
      .split('\n')
      .filter((one) => one.startsWith('svc_x402_http_request_seconds_count'))
      .filter((one) => one.includes(`route="${route}"`))
      .reduce((sum, one) => sum + Number(one.slice(one.lastIndexOf(' ') + 1)), 0);
  }

  const statuses = (answers: readonly string[]) => answers.map((one) => one.slice(9, 12));
  const closes = (answer: string | undefined) => /\r\nconnection: close\r\n/i.test(answer ?? '');

  it('of thousands of requests sent ahead, a bounded number is handled, and the rest is dropped', async () => {
    await limited({ rateLimitExemptsLoopback: false }, async ({ url }) => {
      const answers = await exchange(url, line('/supported').repeat(SENT));
      const most = PER_MINUTE + MAX_REQUESTS_AHEAD + 1;
      assert.ok(answers.length <= most, `${answers.length} answers`);
      assert.ok(statuses(answers).includes('429'));
      assert.ok(closes(answers.at(-1)));
    });
  });

  it('the work is what was answered, and no more', async () => {
    // Requests of this machine are not limited here, so that the metrics can be read; those through a proxy are.
    await limited({ rateLimitExemptsLoopback: true, trustedProxyHops: 1 }, async ({ url }) => {
      const forwarded = line('/supported').replace(
        '\r\n\r\n',
        '\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n',
      );
      let answered = 0;
      for (let times = 0; times < 5; times++) {
        answered += (await exchange(url, forwarded.repeat(SENT))).length;
      }
      assert.equal(await handled(url, '/supported'), answered);
      // The first connections, until the client is far over its limit; after that one request a connection.
      assert.ok(answered <= PER_MINUTE + MAX_REFUSALS + MAX_REQUESTS_AHEAD + 5, `${answered}`);
      const [only, ...others] = await exchange(url, forwarded.repeat(SENT));
      assert.equal(only?.slice(9, 12), '429');
      assert.ok(closes(only));
      assert.equal(others.length, 0);
    });
  });

  it('a client that waits for each answer is disconnected after a number of refusals, not at the first', async () => {
    await limited({}, async ({ url }) => {
      const closing: boolean[] = [];
      for (let n = 0; n < PER_MINUTE + MAX_REFUSALS + 2; n++) {
        const response = await fetch(`${url}/supported`);
        await response.arrayBuffer();
        closing.push(response.headers.get('connection') === 'close');
      }
      assert.deepEqual(
        closing.map((one, n) => (one ? n : -1)).filter((n) => n >= 0),
        [PER_MINUTE + MAX_REFUSALS, PER_MINUTE + MAX_REFUSALS + 1],
      );
    });
  });

  it('routes without a limit serve a bounded number of requests sent ahead on one connection', async () => {
    await limited({ rateLimitExemptsLoopback: true }, async ({ url }) => {
      for (const route of ['/health', '/ready']) {
        const answers = await exchange(url, line(route).repeat(SENT));
        assert.ok(answers.length <= MAX_REQUESTS_AHEAD + 1, `${answers.length} answers`);
        assert.equal(await handled(url, route), answers.length);
      }
    });
  });

  it('requests that are refused before they are counted are bounded in the same way', async () => {
    await limited({ loopbackNamesOnly: true, rateLimitExemptsLoopback: true }, async ({ url }) => {
      const foreign = line('/supported').replace('localhost', 'rebound.example');
      const answers = await exchange(url, foreign.repeat(SENT));
      assert.ok(answers.length <= MAX_REQUESTS_AHEAD + 1, `${answers.length} answers`);
      assert.equal(await handled(url, '/supported'), answers.length);
    });
  });

  it('a few requests sent ahead are answered in order, and the connection stays open', async () => {
    await limited({ rateLimitExemptsLoopback: true }, async ({ url }) => {
      const last = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
      const body = '{}';
      const posted = `POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const answers = await exchange(url, line('/health') + posted + line('/nowhere') + last);
      assert.deepEqual(statuses(answers), ['200', '400', '404', '200']);
    });
  });
});
