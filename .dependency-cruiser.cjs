// Who may import whom: the table of folders, as rules. CONTRIBUTING.md has it in words.

const { readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

/** What ships. All of it may import `common`, which has what both products need; `network` is a product of its own. */
const folders = {
  common: [],
  network: [],
  protocol: [],
  machine: [],
  server: ['protocol', 'machine'],
  mcp: ['protocol', 'machine'],
  sdk: ['protocol'],
  codegen: ['protocol'],
  seller: ['protocol'],
  payPage: ['protocol', 'sdk'],
  handlers: ['protocol', 'seller'],
  // It keeps its sales in the service's store.
  proxy: [
    'protocol',
    'machine',
    'seller',
    'handlers/facilitator',
    'server/store',
    'server/http/rateLimit',
  ],
  extension: ['protocol', 'machine', 'codegen', 'sdk'],
  cli: [
    'protocol',
    'machine',
    'network',
    'server',
    'mcp',
    'sdk',
    'codegen',
    'seller',
    'handlers/facilitator',
    'proxy',
  ],
};
const outsideSrc = { common: 'common', network: 'network/src' };
const placeOf = (folder) => outsideSrc[folder] ?? `src/${folder}`;

const ours = '^(common|network/src|src)/';
const tests = '\\.test\\.ts$';

const directions = Object.entries(folders).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  comment: `${placeOf(folder)} may import ${['common', ...allowed].join(', ')} and nothing else of ours.`,
  severity: 'error',
  from: { path: `^${placeOf(folder)}/` },
  to: {
    path: ours,
    pathNot: `^(${[folder, 'common', ...allowed].map(placeOf).join('|')})/`,
  },
}));

/** Every folder of ours with an `index.ts`. In `common`, each file is a door. */
const doors = ['network/src', 'src']
  .flatMap((root) => readdirSync(join(__dirname, root), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.name === 'index.ts')
  .map((entry) => relative(__dirname, entry.parentPath ?? entry.path).replaceAll('\\', '/'))
  .sort();

const throughTheDoor = doors.map((folder) => ({
  name: `${folder}-has-one-door`,
  comment: `What is outside of ${folder} imports its index.ts, or that of a folder in it, and nothing behind them.`,
  severity: 'error',
  from: { path: ours, pathNot: `^${folder}/|${tests}` },
  to: { path: `^${folder}/`, pathNot: '/index\\.ts$' },
}));

const pureFolders =
  '^(common/(?!machine/)|src/(protocol|codegen|seller|server/search)/|network/src/(state|transaction)/)';
const ownPackages =
  '^(bench/peers|test/editor|test/frameworks|test/mutation|test/prose|test/proxy/foreign/apps|test/policies/(browser|passkey-kit))/';

// In Node's core, what touches files, sockets, processes, clocks or other threads.
const effects =
  '^(node:)?(fs|fs/promises|net|http|https|http2|tls|dgram|dns|dns/promises|child_process|cluster|worker_threads|timers|timers/promises|perf_hooks|readline|repl|os|process|inspector)$';

module.exports = {
  forbidden: [
    ...directions,
    ...throughTheDoor,
    {
      name: 'tests-and-benches-stay-outside',
      comment: 'What ships imports neither tests nor benches.',
      severity: 'error',
      from: { path: ours, pathNot: tests },
      to: { path: '^(network/)?(test|bench|scripts|examples)/' },
    },
    {
      name: 'the-network-stands-alone',
      comment: 'Tests and benches of the network import nothing of the payments.',
      severity: 'error',
      from: { path: '^(network|common)/' },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'only-extension-imports-vscode',
      severity: 'error',
      from: { path: '^(common|network|src|test|bench)/', pathNot: '^(src/extension|test/editor)/' },
      to: { path: '^vscode$|node_modules/@types/vscode' },
    },
    {
      name: 'pure-folders',
      comment: 'Time, randomness, files and sockets come into these folders as arguments.',
      severity: 'error',
      from: { path: pureFolders, pathNot: tests },
      to: { dependencyTypes: ['core'], path: effects },
    },
    {
      name: 'only-http-folders-serve-http',
      comment: 'In the service only server/http, in the network only its HTTP folders.',
      severity: 'error',
      from: {
        path: '^(src/server|network/src)/',
        pathNot: `^src/server/http/|^network/src/(http|rpc|horizon|friendbot)/|${tests}`,
      },
      to: { path: 'node_modules/(hono|@hono)/' },
    },
    {
      name: 'only-http-and-network-folders-open-sockets',
      comment: 'The service speaks to a network from server/network alone.',
      severity: 'error',
      from: {
        path: '^(src/server|network/src)/',
        pathNot: `^src/server/(http|network)/|^network/src/(http|rpc|horizon|friendbot)/|${tests}`,
      },
      to: { dependencyTypes: ['core'], path: '^(node:)?(net|http|https|http2|tls|dgram)$' },
    },
    {
      name: 'only-network-speaks-to-a-network',
      comment: 'In the service the one place that reaches Stellar is server/network.',
      severity: 'error',
      from: { path: '^src/server/', pathNot: `^src/server/network/|${tests}` },
      to: { path: '@stellar/stellar-sdk/.*/(rpc|horizon|http-client)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: ours },
      // A cycle of types alone costs nothing at run time, but still ties two files together.
      to: { circular: true },
    },
    {
      name: 'declared-packages-only',
      comment: 'What ships imports packages that package.json lists as dependencies.',
      severity: 'error',
      from: { path: ours, pathNot: `${tests}|^src/extension/` },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      comment:
        'Folders with a package.json of their own are installed when they are used, not for this check.',
      severity: 'error',
      from: { pathNot: ownPackages },
      to: { couldNotResolve: true, pathNot: '^vscode$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^(dist|build|examples|network/host|contracts|test/codegen/(corpus|fixtures|shapes|declarations|running/fastifyAdapter)|test/data)/',
    },
    tsPreCompilationDeps: true,
    // src and common have a package.json of their own, which only says that they hold ES modules.
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'],
    },
  },
};
