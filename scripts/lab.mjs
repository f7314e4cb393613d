// `npm run lab -- NAME [ARGUMENT…]`: the long trials, each of which judges the product by something outside it: attackers, faults,
// other people's clients and projects, runtimes. Each installs what it needs. Without a name, lists them.

import { join } from 'node:path';
import { buildIfStale, declareIfStale, install, paidApi, root } from './prepare.mjs';
import { runNamed } from './runSource.mjs';

await runNamed('lab', {
  attacks: {
    source: 'test/attacks/main.ts',
    words: 'named attacks on the service and its network, one line each',
  },
  clients: {
    source: 'test/clients/main.ts',
    prepare: () => install(paidApi),
    words: "other people's clients against the embedded network",
  },
  corpus: {
    source: 'test/codegen/corpusRun/main.ts',
    words: 'finds, sells and restores every route of a folder of projects',
  },
  desktop: { program: 'testDesktop.mjs', words: 'the extension in desktop VS Code' },
  faults: {
    source: 'test/faults/main.ts',
    words: 'facilitators killed at every step of a settlement',
  },
  fixtures: {
    program: 'testFixtures.mjs',
    words: 'apps of each framework: changed, installed, started, paid',
  },
  fuzz: {
    source: 'test/fuzz/main.ts',
    words: 'mutated bodies; --cost searches for the most expensive requests',
  },
  http: {
    source: 'test/proxy/http/main.ts',
    words: "other people's HTTP tools against the paying proxy",
  },
  locks: {
    source: 'test/machine/main.ts',
    words: 'three processes compete for the lock of a dead one',
  },
  mutation: {
    program: 'mutation.mjs',
    importsSources: true,
    words: 'deliberate faults, and whether a test fails for each',
  },
  outside: {
    source: 'test/outside/main.ts',
    prepare: buildIfStale,
    words: 'compares every delivered answer with the ledger while all around misbehaves',
  },
  payments: {
    source: 'test/operate/main.ts',
    prepare: buildIfStale,
    words: 'pays through three instances while RPC providers fail and instances restart',
  },
  policies: {
    program: 'testPolicies.mjs',
    words: 'smart accounts under policies, with the published passkey-kit',
  },
  proxy: {
    source: 'test/proxy/kills/main.ts',
    prepare: buildIfStale,
    words: 'the paying proxy, its facilitator and its upstream killed while buyers pay',
  },
  python: { program: 'testPython.mjs', words: 'agents, a seller and a buyer in Python' },
  sdk: {
    source: 'test/sdk-package/main.ts',
    prepare: async () => {
      await buildIfStale();
      await declareIfStale();
    },
    words: 'the packed client SDK on every runtime',
  },
  sim: {
    source: 'test/sim/main.ts',
    words: 'one seed decides clock, network, store and order',
  },
  soak: {
    source: 'test/soak/main.ts',
    prepare: async () => {
      await install(join(root, 'bench', 'plots'));
      await buildIfStale();
    },
    words: 'mixed traffic on three facilitators, with faults',
  },
  sqlite: {
    program: 'testSqlite.mjs',
    words: "the store's suites on the oldest and the newest Node",
  },
  upstreams: {
    source: 'test/proxy/foreign/main.ts',
    prepare: async () => {
      await install(paidApi);
      await buildIfStale();
    },
    words:
      "other people's servers behind the proxy: bought from, and asked in hundreds of spellings",
  },
});
