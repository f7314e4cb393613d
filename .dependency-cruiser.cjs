// Who may import whom: the table of folders, as rules. CONTRIBUTING.md has it in words.

const { readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

const folders = {
  protocol: [],
  machine: [],
  ledger: ['protocol', 'machine'],
  server: ['protocol', 'machine'],
  mcp: ['protocol', 'machine'],
  sdk: ['protocol'],
  codegen: ['protocol'],
  seller: ['protocol'],
  // It keeps its sales in the service's store.
  proxy: ['protocol', 'machine', 'seller', 'server/store'],
  extension: ['protocol', 'machine', 'codegen', 'sdk'],
  cli: ['protocol', 'machine', 'ledger', 'server', 'mcp', 'sdk', 'codegen', 'seller', 'proxy'],
};

const directions = Object.entries(folders).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  comment:
    allowed.length > 0
      ? `src/${folder} may import ${allowed.join(', ')} and nothing else of ours.`
      : `src/${folder} imports nothing of ours.`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
}));

const tests = '\\.test\\.ts$';

/** Every folder below `src` with an `index.ts`. */
const doors = readdirSync(join(__dirname, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.name === 'index.ts')
  .map((entry) => relative(__dirname, entry.parentPath ?? entry.path).replaceAll('\\', '/'))
  .sort();

const throughTheDoor = doors.map((folder) => ({
  name: `${folder}-has-one-door`,
  comment: `What is outside of ${folder} imports its index.ts, or that of a folder in it, and nothing behind them.`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^${folder}/|${tests}` },
  to: { path: `^${folder}/`, pathNot: '/index\\.ts$' },
}));

const pureFolders = '^src/(protocol|codegen|seller|server/search|ledger/state|ledger/transaction)/';
const ownPackages =
  '^(bench/peers|test/editor|test/frameworks|test/mutation|test/prose|test/policies/(browser|passkey-kit))/';

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
      from: { path: '^src/', pathNot: tests },
      to: { path: '^(test|bench|scripts|examples)/' },
    },
    {
      name: 'only-extension-imports-vscode',
      severity: 'error',
      from: { path: '^(src|test|bench)/', pathNot: '^(src/extension|test/editor)/' },
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
      comment: 'In the service only server/http, in the ledger only its HTTP folders.',
      severity: 'error',
      from: {
        path: '^src/(server|ledger)/',
        pathNot: `^src/server/http/|^src/ledger/(http|rpc|horizon|friendbot)/|${tests}`,
      },
      to: { path: 'node_modules/(hono|@hono)/' },
    },
    {
      name: 'only-http-and-network-folders-open-sockets',
      comment: 'The service speaks to a network from server/network alone.',
      severity: 'error',
      from: {
        path: '^src/(server|ledger)/',
        pathNot: `^src/server/(http|network)/|^src/ledger/(http|rpc|horizon|friendbot)/|${tests}`,
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
      from: { path: '^src/' },
      // A cycle of types alone costs nothing at run time, but still ties two files together.
      to: { circular: true },
    },
    {
      name: 'declared-packages-only',
      comment: 'What ships imports packages that package.json lists as dependencies.',
      severity: 'error',
      from: { path: '^src/', pathNot: `${tests}|^src/extension/` },
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
      path: '^(dist|build|examples|ledger-host|contracts|test/codegen/(corpus|fixtures|shapes|declarations|running/fastifyAdapter)|test/data)/',
    },
    tsPreCompilationDeps: true,
    // src has a package.json of its own, which only says that it holds ES modules.
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'],
    },
  },
};
