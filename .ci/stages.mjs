// The stages of .ci/run. Each is one command with a limit in minutes and the minutes that it usually takes, by which the longest
// starts first; `after` names stages that must have passed before it. `waits` marks a stage that mostly waits, for an editor, a
// package registry or a ledger: it runs beside one that computes.

import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {number} limit minutes
 * @property {number} usual minutes
 * @property {readonly string[]} command
 * @property {readonly string[]} [after]
 * @property {boolean} [waits]
 */

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const npm = (script, ...args) => [
  'npm',
  'run',
  '--silent',
  script,
  ...(args.length > 0 ? ['--', ...args] : []),
];

/** Debian's packages that the stages need. */
const PACKAGES = [
  // The contracts and the host: Debian's Rust with its linter and formatter.
  ...[
    'rustc-web',
    'cargo-web',
    'rust-web-src',
    'rust-web-clippy',
    'rustfmt-web',
    'lld-19',
    'binaryen',
    'patch',
  ],
  // Clusters that the tests start on loopback ports.
  ...['postgresql-15', 'pgbouncer'],
  // The editors, and a virtual authenticator.
  ...['chromium', 'fonts-dejavu-core'],
  // The commands on the pages of docs/.
  'curl',
  // Proxies in front of facilitators, and what namespaces need.
  ...['nginx-light', 'haproxy', 'caddy', 'iproute2', 'openssl'],
  // The Windows build of Node.
  ...['wine', 'wine64'],
];

/**
 * @param {boolean} full
 * @returns {readonly Stage[]}
 */
export function stages(full) {
  const pick = (long, short) => (full ? long : short);
  const ready = ['quick', 'packages'];
  const all = [
    // Types, lint, import rules, dead code, sizes, and the unit tests without the longest. If this fails, no later
    // stage is worth waiting for.
    { name: 'quick', limit: 25, usual: 4, command: ['node', 'scripts/test.mjs', '--quick'] },

    {
      name: 'packages',
      limit: 10,
      usual: 1,
      waits: true,
      command: ['bash', '-c', `source .ci/stages.sh && packages ${PACKAGES.join(' ')}`],
    },
    // The packed extension and both editors, which several stages use.
    {
      name: 'pack',
      limit: 15,
      usual: 2,
      after: ready,
      waits: true,
      command: ['bash', '.ci/editor', 'prepare'],
    },

    // The extension in real editors. In the short form, the oldest editor runs its host suite and the first workbench suite.
    {
      name: 'editor',
      limit: 40,
      usual: 20,
      after: ['pack'],
      waits: true,
      command: ['bash', '.ci/editor', 'newest'],
    },
    {
      name: 'oldest',
      limit: 30,
      usual: pick(16, 9),
      after: ['pack'],
      waits: true,
      command: ['bash', '.ci/editor', 'oldest', ...pick(['--full'], [])],
    },
    // From an agent that finds nothing to a developer who gets paid, with the packed extension.
    {
      name: 'story',
      limit: 10,
      usual: 1,
      after: ['pack'],
      waits: true,
      command: [
        'bash',
        '-c',
        `source .ci/stages.sh && twice env VSIX=build/svc-x402-${version}.vsix npm run --silent story -- --out build/story`,
      ],
    },

    // The tests that cross folders, and the longest unit tests: everything of npm test that the quick stage leaves out.
    {
      name: 'tests',
      limit: 60,
      usual: 20,
      after: ready,
      command: ['node', 'scripts/runTests.mjs', '--rest'],
    },

    // The store's suites on the oldest and the newest Node with node:sqlite; in the short form, only on the newest.
    {
      name: 'sqlite',
      limit: 10,
      usual: 1,
      after: ready,
      command: npm('lab', 'sqlite', ...pick([], ['--short'])),
    },

    // The test network starts again under a running service, and while it is down.
    {
      name: 'reset',
      limit: 10,
      usual: 1,
      after: ready,
      waits: true,
      command: ['node', 'scripts/runTests.mjs', 'test/reset'],
    },

    // Named attacks on the service, its network, the command line and a page in Chromium; each line names a refused attack.
    { name: 'attacks', limit: 10, usual: 1, after: ready, command: npm('lab', 'attacks') },

    // Agents, a seller and a buyer in Python, on the published packages.
    {
      name: 'python',
      limit: 10,
      usual: 2,
      after: ready,
      waits: true,
      command: npm('lab', 'python'),
    },

    // The command line on the Windows build of Node; in the short form, with 40 of the 200 rounds of its lock test.
    {
      name: 'windows',
      limit: 10,
      usual: 1,
      after: ready,
      waits: true,
      command: ['env', `LOCK_ROUNDS=${pick(200, 40)}`, 'bash', '.ci/windows'],
    },

    // Smart accounts under policies: the published passkey-kit, a passkey in Chromium, figures.
    { name: 'policies', limit: 10, usual: 1, after: ready, command: npm('lab', 'policies') },

    // The packed client SDK in an empty folder: payments, types, size. In the short form, on this Node and in Chromium; with
    // --full, on every runtime that the registry serves, with external checks of the packages.
    {
      name: 'sdk',
      limit: 15,
      usual: 1,
      after: ready,
      waits: true,
      command: npm('lab', 'sdk', ...pick([], ['--short'])),
    },

    // Apps of each framework: changed, installed from this machine's package source, started, paid.
    {
      name: 'fixtures',
      limit: 20,
      usual: 4,
      after: ready,
      waits: true,
      command: npm('lab', 'fixtures'),
    },

    // Facilitators killed at every step of a settlement, on PostgreSQL and on the embedded store, with a fixed seed. In the short
    // form, 300 payments and 75 kills on PostgreSQL, 120 and 42 on the other; with --full, 600 and 150 on each.
    {
      name: 'faults',
      limit: 25,
      usual: 4,
      after: ready,
      waits: true,
      command: npm(
        'lab',
        'faults',
        ...pick(['--payments', '600', '--kills', '150'], ['--short']),
        '--seed',
        '1',
      ),
    },

    // Compares every delivered response with the ledger while RPC servers, clients, disks, clocks and databases misbehave. The
    // short form runs each misbehavior once on a file and once on PostgreSQL; --full makes 2,000 payments.
    {
      name: 'outside',
      limit: 30,
      usual: pick(11, 7),
      after: ready,
      waits: true,
      command: npm('lab', 'outside', ...pick([], ['--short']), '--seed', '1'),
    },

    // The operator's kit as the pages have it: the unit's commands, the container's steps in a file system of its own, and both
    // instances restarted behind nginx, HAProxy and Caddy while payments pass.
    {
      name: 'operate',
      limit: 15,
      usual: 3,
      after: ready,
      waits: true,
      command: ['node', 'scripts/runTests.mjs', 'test/operate', '--concurrency', '1'],
    },

    // The simulation with fixed seeds: 500 in the short form.
    {
      name: 'simulation',
      limit: 15,
      usual: pick(5, 1),
      after: ready,
      command: npm('lab', 'sim', '--seeds', pick('3000', '500'), '--from', '1'),
    },

    // Mixed traffic on three facilitators with faults: one minute in the short form, five with --full (30 by default).
    {
      name: 'soak',
      limit: 12,
      usual: pick(5, 1),
      after: ready,
      waits: true,
      command: npm('lab', 'soak', '--minutes', pick('5', '1'), '--rate', '8', '--seed', '1'),
    },

    // The committed .wasm files match their sources; the contracts' formatting, lints and tests. --full always builds them.
    {
      name: 'host',
      limit: 25,
      usual: pick(11, 1),
      after: ready,
      command: ['bash', 'network/host/check.sh', ...pick(['--rebuild'], [])],
    },
    {
      name: 'contracts',
      limit: 25,
      usual: pick(14, 1),
      after: ready,
      command: ['bash', '.ci/contracts', ...pick(['--rebuild'], [])],
    },

    // The release, from a clean clone; with --full, from two clones in different places, which must produce the same bytes.
    {
      name: 'release',
      limit: 15,
      usual: 2,
      after: ready,
      command: npm('release', '--out', 'build/release', ...pick([], ['--once'])),
    },
  ];
  // Recorded ledgers, if they are beside the checkout.
  const vectors = process.env.LEDGER_VECTORS ?? '../shared/ledger-vectors';
  if (existsSync(vectors)) {
    all.push({
      name: 'replay',
      limit: 10,
      usual: 1,
      after: ready,
      command: npm('ledger:replay', `${vectors}/protocol-27`),
    });
  }
  return all;
}
