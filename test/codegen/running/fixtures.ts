// Fixture apps that are changed, installed, checked, started and paid, each route once.
// usage: npm run lab -- fixtures [--name PATTERN]

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ask as askRaw, spellingsOf } from '../../../src/cli/check/index.ts';
import { decodeHeaderMessage } from '../../../src/protocol/index.ts';
import { discoveryListSchema, paymentRequiredSchema } from '../../../src/protocol/wire/index.ts';
import { CliProcess, temporaryFolder } from '../../cli/cliProcess.ts';
import { assertOpenApi31 } from '../../support/openApi31.ts';
import { Child } from './child.ts';
import { type FixtureRoute, fixtures } from './fixtureList.ts';
import { Workshop } from './workshop.ts';

interface Serving {
  readonly facilitatorUrl: string;
  readonly network: {
    readonly rpcTlsUrl: string;
    readonly friendbotUrl: string;
    readonly certificateAuthorityFile: string;
  };
}

interface Paid {
  readonly status: number;
  readonly body: string;
  readonly reason?: string;
  readonly settlement?: { readonly success: boolean; readonly transaction: string };
}

interface Described {
  readonly responses: object;
  readonly 'x-payment-info'?: object;
}

const here = fileURLToPath(new URL('./', import.meta.url));

// Two at a time: while one app's packages are installed, another is built or paid.
describe('a changed app sells', { concurrency: 2 }, () => {
  const data = temporaryFolder();
  const workshop = new Workshop();
  let dev: CliProcess;
  let buyer: Child;
  let facilitatorUrl = '';
  let payTo = '';
  let lastPaid: Promise<unknown> = Promise.resolve();

  before(async () => {
    const ports = ['--ledger-port', '0', '--facilitator-port', '0'];
    const args = ['dev', '--no-demo', '--json', '--in-memory', '--data-dir', data.path, ...ports];
    dev = new CliProcess(args, { RATE_LIMIT_PER_MINUTE: '0' });
    const serving = (await dev.event('serving')) as unknown as Serving;
    facilitatorUrl = serving.facilitatorUrl;
    buyer = new Child(process.execPath, ['buyer.mjs', '--json'], here, {
      STELLAR_RPC_URL: serving.network.rpcTlsUrl,
      FRIENDBOT_URL: serving.network.friendbotUrl,
      NODE_EXTRA_CA_CERTS: serving.network.certificateAuthorityFile,
      RES_OPTIONS: 'timeout:1 attempts:1',
    });
    const [, seller = ''] = await buyer.line(/"ready":\{"seller":"(\w+)"/);
    payTo = seller;
  });

  after(async () => {
    await buyer?.stop();
    await dev?.stop();
    workshop.remove();
    data.remove();
  });

  for (const fixture of fixtures) {
    describe(fixture.name, { concurrency: 1 }, () => {
      let app: Child | undefined;
      let origin = '';

      after(async () => app?.stop());

      it('is changed by the command line, which installs the packages', async () => {
        await workshop.copy(fixture);
        await workshop.change(fixture, { facilitatorUrl, payTo });
      });

      if (fixture.build.length > 0) {
        it('compiles with its own compiler and tsconfig', async () => {
          await workshop.build(fixture, facilitatorUrl);
        });
      }

      it('starts', async () => {
        ({ app, origin } = await workshop.start(fixture));
      });

      it('passes `svc-x402 check`', async () => {
        const table = await workshop.check(fixture);
        console.log(`# ${fixture.name}: ${table.trim().split('\n').at(-1)}`);
        assert.match(table, /: 0 free, 0 charged by mistake/);
      });

      for (const route of fixture.routes) {
        const name = `${route.method} ${route.url}`;
        let declared: unknown;

        it(`${name} asks for the price, and its handler is not called`, async () => {
          const response = await ask(origin, route);
          assert.equal(response.status, 402, await response.text());
          const header = response.headers.get('PAYMENT-REQUIRED') ?? '';
          const terms = paymentRequiredSchema.parse(decodeHeaderMessage(header));
          const [accepted, ...more] = terms.accepts;
          assert.equal(more.length, 0);
          assert.deepEqual(
            [accepted?.scheme, accepted?.network, accepted?.amount, accepted?.payTo],
            ['exact', 'stellar:testnet', '100000', payTo],
          );
          assert.equal(accepted?.maxTimeoutSeconds, 60);
          declared = terms.extensions?.['bazaar'];
          assert.ok(declared, 'discovery is declared');
          assert.equal(runs(app), 0);
        });

        if (route.method === 'GET') {
          it(`[spec: HEAD behaviour/HEAD] HEAD ${route.url} answers 200 without challenge or body, and runs nothing`, async () => {
            const response = await fetch(origin + route.url, { method: 'HEAD' });
            assert.equal(response.status, 200);
            assert.equal(response.headers.get('PAYMENT-REQUIRED'), null);
            assert.equal(await response.text(), '');
            assert.equal(runs(app), 0);
          });
        }

        it(`${name} is not free under another spelling of its path or another method`, async () => {
          const table: string[] = [];
          for (const spelling of spellingsOf(route.method, route.url)) {
            const { status } = await askRaw(origin, spelling);
            table.push(`${status} ${spelling.method} ${spelling.target}`);
            assert.equal(runs(app), 0, `free:\n${table.join('\n')}`);
          }
          assert.ok(
            table.some((row) => row.startsWith('402 ')),
            table.join('\n'),
          );
        });

        it(`${name} is paid by the published client, and answers as before`, async () => {
          const paid = await pay(origin, route);
          assert.equal(paid.status, 200, JSON.stringify(paid));
          assert.deepEqual(JSON.parse(paid.body), route.answer);
          assert.ok(paid.settlement?.success);
          assert.match(paid.settlement.transaction, /^[0-9a-f]{64}$/);
          assert.equal(runs(app), 1);
          forget(app);
        });

        const { described } = route;
        if (described !== undefined) {
          it(`${name} has its price in the OpenAPI document of the app`, async () => {
            const document: unknown = await (await fetch(`${origin}/openapi.json`)).json();
            assertOpenApi31(document);
            const { paths } = document as { paths: Record<string, Record<string, Described>> };
            const operation = paths[described]?.[route.method.toLowerCase()];
            assert.deepEqual(operation?.['x-payment-info'], {
              price: { mode: 'fixed', currency: 'USD', amount: '0.01' },
              protocols: [{ x402: {} }],
            });
            assert.deepEqual(Object.keys(operation.responses), ['200', '402']);
          });
        }

        it(`${name} is in the catalog with what was declared`, async () => {
          const response = await fetch(`${facilitatorUrl}/discovery/resources?limit=100`);
          const { items } = discoveryListSchema.parse(await response.json());
          const listed = items.find(
            ({ resource, method }) =>
              sameHost(resource) === origin + route.listed &&
              (method ?? route.method) === route.method,
          );
          const all = items.map(({ resource, method }) => `${method} ${resource}`).join('\n');
          assert.ok(listed, `not among\n${all}`);
          assert.equal(listed.accepts[0]?.payTo, payTo);
          const { schema } = listed.extensions['bazaar'] as { schema: unknown };
          assert.deepEqual(schema, (declared as { schema: unknown }).schema);
        });
      }
    });
  }

  /** The buyer answers one request after the other, without naming the request. */
  function pay(origin: string, route: FixtureRoute): Promise<Paid> {
    const paid = lastPaid.then(() => payNext(origin, route));
    lastPaid = paid.catch(() => undefined);
    return paid;
  }

  async function payNext(origin: string, { url, method, body }: FixtureRoute): Promise<Paid> {
    const start = buyer.lines.length;
    buyer.write(JSON.stringify({ url: origin + url, method, body }));
    const [line = ''] = await buyer.line(/^\{"(paid|failed)".*$/, start);
    const told = JSON.parse(line) as { paid?: Paid; failed?: string };
    assert.ok(told.paid, told.failed);
    return told.paid;
  }

  function ask(origin: string, { url, method, body }: FixtureRoute): Promise<Response> {
    return fetch(origin + url, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  }
});

/** Next.js gives its handlers `localhost` for every name of this machine. */
function sameHost(url: string): string {
  return url.replace('//localhost:', '//127.0.0.1:');
}

/** How often a handler printed that it ran, since the last payment. */
function runs(app: Child | undefined): number {
  return app?.lines.filter((line) => line.includes('HANDLER')).length ?? 0;
}

function forget(app: Child | undefined): void {
  app?.lines.splice(0);
}
