import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CliProcess } from '../cli/cliProcess.ts';
import { projectFile } from '../docs/pages/projectFile.ts';
import { leftInStore } from '../faults/atRest.ts';
import {
  openHolders,
  openTestNetwork,
  type TestNetwork,
} from '../helpers/facilitators/openTestNetwork.ts';
import {
  freePort,
  type PrivatePostgres,
  postgresMissing,
  startPrivatePostgres,
} from '../store/privatePostgres.ts';
import { freshPayment } from '../support/freshPayment.ts';
import type { TestKey } from '../support/payer.ts';
import { type Answered, type AskedByTls, askByTls, makeCertificate, NAME } from './behindTls.ts';
import { isInstalled, openFolder, type Started, start } from './machine.ts';

/** The instances' addresses in the files of deploy/ and here. */
const ADDRESSES = ['127.0.0.11', '127.0.0.12'] as const;
const LIMIT = 5_000;
/** Time between two payments. */
const PAUSE_MS = 300;
const HANGS_UP_AFTER_MS = 250;

/** A proxy that this machine may have, and how it runs with the configuration that is shipped. */
interface Proxy {
  readonly name: string;
  /** Whether it probes `/ready`, so that an instance can be drained. */
  readonly probes: boolean;
  /** Writes its configuration, as shipped but for addresses, port and files; returns what checks and what runs it. */
  prepare(
    folder: string,
    adapt: (text: string) => string,
    port: number,
  ): { readonly check: readonly string[]; readonly run: readonly string[] };
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    probes: false,
    prepare(folder, adapt, port) {
      writeFileSync(
        join(folder, 'svc-x402.conf'),
        adapt(projectFile('deploy/nginx.conf')).replace('listen 443', `listen 127.0.0.1:${port}`),
      );
      const main = join(folder, 'main.conf');
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (what) => `${what}_temp_path ${folder}/${what};`,
      );
      writeFileSync(
        main,
        `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;\n` +
          `events {}\nhttp { access_log off; ${places.join(' ')} include ${folder}/svc-x402.conf; }\n`,
      );
      const command = ['nginx', '-c', main, '-e', `${folder}/error.log`];
      return { check: [...command, '-t'], run: command };
    },
  },
  {
    name: 'haproxy',
    probes: true,
    prepare(folder, adapt, port) {
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(
        file,
        adapt(projectFile('deploy/haproxy.cfg')).replace('bind :443', `bind 127.0.0.1:${port}`),
      );
      return { check: ['haproxy', '-c', '-f', file], run: ['haproxy', '-db', '-f', file] };
    },
  },
  {
    name: 'caddy',
    probes: true,
    prepare(folder, adapt, port) {
      const file = join(folder, 'Caddyfile');
      const site = adapt(projectFile('deploy/Caddyfile')).replace(
        `${NAME} {`,
        `${NAME}:${port} {\n\tbind 127.0.0.1`,
      );
      writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
      const of = (what: string) => ['caddy', what, '--config', file, '--adapter', 'caddyfile'];
      return { check: of('validate'), run: of('run') };
    },
  },
];

/** What a proxy printed; nginx writes to a file. */
function log(proxy: Started, file?: string): string {
  const kept = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
  return `${proxy.output()}${kept}`;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('The proxies’ configurations', { skip: postgresMissing ?? false }, () => {
  const folder = openFolder('proxies');
  const certificates = join(folder.path, 'tls');
  let network: TestNetwork;
  let postgres: PrivatePostgres;
  let environment: Readonly<Record<string, string>> = {};
  let port = 0;
  let authority = '';
  let buyers: readonly TestKey[] = [];
  let seller: TestKey | undefined;
  const instances: (CliProcess | undefined)[] = [];

  const dataFolder = (at: number) => join(folder.path, `instance-${at}`);

  /** Starts an instance and resolves when it accepts payments. */
  async function startInstance(at: number): Promise<void> {
    mkdirSync(dataFolder(at), { recursive: true });
    const one = new CliProcess(['facilitator', '--json', '--no-restart', '--log-level', 'warn'], {
      ...environment,
      HOST: ADDRESSES[at] ?? '',
      PORT: `${port}`,
      BUSY_PORT: 'refuse',
      OPERATOR_PORT: '0',
      SVC_X402_DATA_DIR: dataFolder(at),
    });
    instances[at] = one;
    await one.event('serving');
  }

  before(async () => {
    authority = makeCertificate(certificates);

    network = await openTestNetwork({ folder: folder.path, name: 'the proxies', close: '1s' });
    postgres = await startPrivatePostgres();
    environment = {
      ...network.environment,
      DATABASE_URL: await postgres.createDatabase(),
      RATE_LIMIT_PER_MINUTE: `${LIMIT}`,
      TRUSTED_PROXY_HOPS: '1',
      TRUSTED_PROXIES: '127.0.0.1',
      // A killed instance is not what is tested here.
      INSTANCE_TTL_MS: '10000',
    };
    buyers = await openHolders(network, ['buyer 0', 'buyer 1', 'buyer 2'], 10_000_000_000n);
    [seller] = await openHolders(network, ['seller of the proxies'], 0n);
    port = await freePort();
    await startInstance(0);
    await startInstance(1);
  });
  after(async () => {
    await Promise.all(instances.map((one) => one?.stop('SIGTERM')));
    await network.close();
    await postgres.close();
    folder.remove();
  });

  const adapt = (text: string) =>
    text
      .replaceAll(/10\.0\.0\.(1[12]):4021/g, `127.0.0.$1:${port}`)
      .replaceAll('/etc/ssl/svc-x402', certificates);

  const ask = (
    proxyPort: number,
    path: string,
    options: Partial<AskedByTls> = {},
  ): Promise<Answered> => askByTls(path, { ...options, port: proxyPort, authority });

  /** Waits until no settlement is open, ten seconds at most. */
  async function untilAtRest(): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
      await pause(200);
      if ((await leftInStore(environment['DATABASE_URL'] ?? '', null)).open === 0) return;
    }
    assert.fail('a settlement is still open');
  }

  /** Pays through a proxy until `until` has ended; each payment is one request, as a seller sends it. */
  async function payUntil(proxyPort: number, until: Promise<unknown>): Promise<Answered[]> {
    let isOver = false;
    void until.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    const answers: Promise<Answered>[] = [];
    while (!isOver) {
      const buyer = buyers[answers.length % buyers.length];
      assert.ok(buyer && seller);
      const request = await freshPayment(network.local, buyer, seller, {
        amount: 1_000n,
        requirements: { amount: '1000' },
      });
      answers.push(ask(proxyPort, '/settle', { body: JSON.stringify(request) }));
      await pause(PAUSE_MS);
    }
    return Promise.all(answers);
  }

  /** Restarts each instance in turn, as docs/operating.md does. */
  async function rollingRestart(probes: boolean): Promise<void> {
    for (const at of ADDRESSES.keys()) {
      if (probes) {
        const drain = new CliProcess(['facilitator', 'drain', '--data-dir', dataFolder(at)]);
        const { code, stdout, stderr } = await drain.ended;
        assert.equal(code, 0, `${stdout}${stderr}`);
      }
      const ended = await instances[at]?.stop('SIGTERM');
      assert.equal(ended?.code, 0, ended?.stderr);
      await startInstance(at);
      // Proxies that probe need a moment to see it.
      await pause(2_500);
    }
  }

  for (const proxy of PROXIES) {
    describe(proxy.name, {
      skip: isInstalled(proxy.name) ? false : `no ${proxy.name}: apt-get install ${proxy.name}`,
    }, () => {
      let proxyPort = 0;
      let running: Started;

      before(async () => {
        const own = join(folder.path, proxy.name);
        mkdirSync(own);
        proxyPort = await freePort();
        const { check, run } = proxy.prepare(own, adapt, proxyPort);
        const [program = '', ...args] = check;
        const { PATH = '' } = process.env;
        const env = { PATH, HOME: own };
        const checked = spawnSync(program, args, { encoding: 'utf8', env });
        assert.equal(checked.status, 0, `${checked.stdout}${checked.stderr}`);
        running = start(run, { HOME: own });
        for (let tries = 0; ; tries += 1) {
          const answer = await ask(proxyPort, '/supported').catch(() => undefined);
          if (answer?.status === 200) break;
          assert.ok(tries < 100, running.output());
          await pause(200);
        }
      });
      after(() => running.stop());

      it('serves by TLS under its name, and no metrics', async () => {
        const answer = await ask(proxyPort, '/supported');
        assert.equal(answer.status, 200);
        assert.match(answer.text, /"exact"/);
        for (const path of ['/metrics', '/operator/status', '/operator/catalog']) {
          assert.equal((await ask(proxyPort, path)).status, 404, path);
        }
      });

      it('[finding: O8] counts a client by its address, whatever address it claims', async () => {
        const remaining = async (from: string, claimed: string) => {
          const headers = { 'x-forwarded-for': claimed };
          const answer = await ask(proxyPort, '/supported', { from, headers });
          return Number(answer.headers['ratelimit-remaining']);
        };
        const count = async () => {
          const all: number[] = [];
          for (let at = 1; at <= 4; at += 1) {
            all.push(await remaining('127.0.0.50', `203.0.113.${at}`));
          }
          return all;
        };
        const falls = (all: readonly number[]) =>
          all.every((one, at) => at === 0 || one === (all[at - 1] ?? 0) - 1);
        // Instances count by clock minutes: the minute may end in between, once.
        assert.ok(falls(await count()) || falls(await count()));
        const own = await remaining('127.0.0.51', '127.0.0.50');
        const other = await remaining('127.0.0.52', '127.0.0.51');
        assert.equal(own, other, 'each address has a bucket of its own');
      });

      it('callers that hang up get their outcome when they ask again', async () => {
        const hungUp: string[] = [];
        for (let tries = 0; hungUp.length < 3; tries += 1) {
          assert.ok(tries < 20, 'every payment was answered at once');
          const buyer = buyers[tries % buyers.length];
          assert.ok(buyer && seller);
          const request = await freshPayment(network.local, buyer, seller, {
            amount: 1_000n,
            requirements: { amount: '1000' },
          });
          const body = JSON.stringify(request);
          // Longer than the claim takes, and mostly shorter than the ledger that includes the payment.
          const asking = ask(proxyPort, '/settle', { body, timeoutMs: HANGS_UP_AFTER_MS });
          await asking.catch(() => hungUp.push(body));
        }
        await untilAtRest();
        for (const body of hungUp) {
          assert.match((await ask(proxyPort, '/settle', { body })).text, /"success":true/);
        }
      });

      it('loses no payment while both instances restart in turn', async () => {
        const restart = rollingRestart(proxy.probes);
        const answers = await payUntil(proxyPort, restart);
        await restart;
        const wrong = answers.filter(
          ({ status, text }) => status !== 200 || !text.includes('"success":true'),
        );
        const seen = wrong.map(({ status, text }) => `${status} ${text.slice(0, 300)}`);
        assert.equal(
          wrong.length,
          0,
          `${seen.slice(0, 3).join('\n')}\n${log(running, join(folder.path, proxy.name, 'error.log')).slice(-4_000)}`,
        );
        const hashes = answers.map(
          ({ text }) => (JSON.parse(text) as { transaction: string }).transaction,
        );
        assert.equal(new Set(hashes).size, answers.length);
        assert.ok(answers.length >= 10, `${answers.length} payments`);
      });
    });
  }
});
