import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { nodeTransport } from '../http/index.ts';
import { networkAddresses, readSettings } from '../settings/index.ts';
import { checkSetup, describeSetup } from './checkSetup.ts';

const PAY_TO = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

describe('E8: advice fits the selected network', () => {
  const transport = nodeTransport({ timeoutMs: 2_000 });
  let server: Server;
  let url = '';
  before(async () => {
    server = createServer((request, response) => {
      const known = request.url === '/' || request.url === '/health';
      response.writeHead(known ? 200 : 404).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  });
  after(() => server.close());

  const facts = (
    values: Readonly<Record<string, unknown>>,
    inCode: { file: string; url: string }[] = [],
  ) => {
    const settings = readSettings((name) => values[name]);
    const { network, payTo } = settings;
    return { network, payTo, addresses: networkAddresses(settings, undefined), inCode };
  };

  it('an unreachable testnet never leads to the advice to start the local service', async () => {
    const checks = await checkSetup(
      facts({
        network: 'testnet',
        horizonUrl: 'http://127.0.0.1:1',
        facilitatorUrl: 'http://127.0.0.1:1',
        payToAddress: PAY_TO,
      }),
      transport,
    );
    assert.deepEqual(
      checks.map(({ state }) => state),
      ['failed', 'failed', 'failed', 'skipped'],
    );
    const [network, facilitator] = checks;
    assert.match(network?.next?.text ?? '', /internet connection/);
    assert.equal(network?.next?.action?.command, 'svc-x402.openSettings');
    assert.match(facilitator?.next?.action?.label ?? '', /Wake/);
  });

  it('without a facilitator on testnet it names the setting', async () => {
    const [, facilitator] = await checkSetup(
      facts({ network: 'testnet', horizonUrl: url }),
      transport,
    );
    assert.match(facilitator?.next?.text ?? '', /svc-x402\.facilitatorUrl/);
  });

  it('on the local network it advises to start a stopped service', async () => {
    const checks = await checkSetup(facts({ network: 'local' }), transport);
    assert.equal(checks[0]?.next?.action?.command, 'svc-x402.startService');
    const report = describeSetup(checks);
    assert.match(report.verdict, /checks failed/);
    assert.equal(report.good, false);
  });

  it('it advises to fund a missing account, and names code that uses another facilitator', async () => {
    const checks = await checkSetup(
      facts({ network: 'testnet', horizonUrl: url, facilitatorUrl: url, payToAddress: PAY_TO }, [
        { file: 'server.js', url: 'http://127.0.0.1:4021' },
        { file: 'other.js', url: url.replace('127.0.0.1', 'localhost') },
      ]),
      transport,
    );
    assert.deepEqual(
      checks.map(({ state }) => state),
      ['passed', 'passed', 'failed', 'skipped', 'failed', 'passed'],
    );
    assert.equal(checks[2]?.next?.action?.command, 'svc-x402.fundWallet');
    assert.match(checks[4]?.detail ?? '', /4021/);
  });
});
