// Bundles what ships into dist/, one file a process, and leaves the metafiles in build/meta/.
// usage: node esbuild.mjs [NAME…]

import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { DECLARATIONS } from './scripts/declarations.mjs';
import { parserAlone } from './scripts/parserAlone.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const meta = join(root, 'build', 'meta');

/** A bundle whose entry does not exist yet is left out. */
const bundles = [
  {
    name: 'extension',
    entry: 'src/extension/extension.ts',
    target: 'node16',
    external: ['vscode'],
    lazy: {
      './agentTools/index.ts': './tools.js',
      './agentBudgets/index.ts': './budgets.js',
      './chargeForPort/index.ts': './ports.js',
      './policyCommands/index.ts': './policies.js',
      '../testPayment/index.ts': './payments.js',
      '../../testPayment/index.ts': './payments.js',
      '../../server/index.ts': './servers.js',
      '../../codegen/index.ts': './codegen.js',
      '../../../codegen/index.ts': './codegen.js',
    },
  },
  // What a test payment needs: loaded by the extension when the first one is made.
  { name: 'payments', entry: 'src/extension/testPayment/index.ts', target: 'node16' },
  // Tools for agents, here and elsewhere: loaded when the editor has tools, or a configuration is copied.
  {
    name: 'tools',
    entry: 'src/extension/editor/agentTools/index.ts',
    target: 'node16',
    external: ['vscode'],
  },
  // The commands that give agents budgets: loaded with the first of them.
  {
    name: 'budgets',
    entry: 'src/extension/editor/agentBudgets/index.ts',
    target: 'node16',
    external: ['vscode'],
  },
  // Starting a server and finding its port: loaded with the first one that the editor starts.
  { name: 'servers', entry: 'src/extension/server/index.ts', target: 'node16' },
  // Selling a local port: loaded when the first one is sold.
  {
    name: 'ports',
    entry: 'src/extension/editor/chargeForPort/index.ts',
    target: 'node16',
    external: ['vscode'],
    lazy: {
      '../testPayment/index.ts': './payments.js',
      '../../codegen/index.ts': './codegen.js',
      '../../../codegen/index.ts': './codegen.js',
    },
  },
  // The commands of the spending policies: loaded with the first of them.
  {
    name: 'policies',
    entry: 'src/extension/editor/policyCommands/index.ts',
    target: 'node16',
    external: ['vscode'],
    lazy: { '../testPayment/index.ts': './payments.js' },
  },
  {
    name: 'codegen',
    entry: 'src/codegen/index.ts',
    target: 'node16',
    plugins: [parserAlone(join(root, 'src', 'codegen'))],
  },
  // The command line stays small; what it runs is loaded from the service's bundle when it is needed.
  {
    name: 'cli',
    entry: 'src/cli/main.ts',
    target: 'node18',
    lazy: {
      './service.ts': './service.js',
      '../service.ts': './service.js',
      '../mcp/main.ts': './mcp.js',
      '../../codegen/index.ts': './codegen.js',
    },
  },
  // What the editor starts: it opens the cache of compiled code before it loads the service.
  {
    name: 'server',
    entry: 'src/cli/serverMain.ts',
    target: 'node18',
    lazy: {
      './service.ts': './service.js',
      '../service.ts': './service.js',
      '../../codegen/index.ts': './codegen.js',
    },
  },
  {
    name: 'service',
    entry: 'src/cli/service.ts',
    target: 'node18',
    // A native client that pg takes when it is there; the other one needs nothing.
    external: ['pg-native'],
    lazy: {
      './openTracing.ts': './tracing.js',
      '../../codegen/index.ts': './codegen.js',
      '../mcp/main.ts': './mcp.js',
      '../../mcp/main.ts': './mcp.js',
    },
  },
  // OpenTelemetry, for services that report traces.
  { name: 'tracing', entry: 'src/server/openTracing.ts', target: 'node18' },
  // Tries sellers' JSON schemas in a thread of its own.
  {
    name: 'schema-worker',
    entry: 'src/server/catalog/declaration/schemaWorker.ts',
    target: 'node18',
  },
  // Runs the simulations of the embedded network that take long, in a thread of its own.
  { name: 'simulation-worker', entry: 'network/src/rpc/simulationWorker.ts', target: 'node18' },
  // For apps that pay and sell with the published x402 packages.
  { name: 'upto', entry: 'src/sdk/upto/index.ts', target: 'node18' },
  // For apps that verify what sellers sign.
  { name: 'receipts', entry: 'src/sdk/receipts/index.ts', target: 'node18' },
  // For apps that sell with the engine.
  { name: 'seller', entry: 'src/handlers/index.ts', target: 'node18' },
  // The embedded network, for test suites.
  { name: 'ledger', entry: 'network/src/index.ts', target: 'node18' },
  // Editors wait for its list of tools: what it never runs is not loaded.
  {
    name: 'mcp',
    entry: 'src/mcp/main.ts',
    target: 'node18',
    unused: [
      // Judges schemas that others wrote, with ajv. Nothing here does: a question to a person has no fields.
      {
        path: /^@modelcontextprotocol\/(?:server|client)\/_shims$/,
        contents:
          "export { default as process } from 'node:process';" +
          'export const CORS_IS_POSSIBLE = false;' +
          'export class DefaultJsonSchemaValidator {' +
          'getValidator() { return (data) => ({ valid: true, data, errorMessage: undefined }); } }',
      },
    ],
  },
];

// Bundles are CommonJS: what ES modules know as import.meta.url is made from the file's name.
const bundleUrl =
  "'use strict';const __bundleUrl = require('node:url').pathToFileURL(__filename).href;";
// Node 18 has the Web Crypto API, but not as a global. Later ones load it when the global is read.
const webCrypto = "if(!('crypto'in globalThis))globalThis.crypto=require('node:crypto').webcrypto;";

/** zod carries its messages in fifty languages, English among them by itself. Nothing here uses the others. */
const withoutLocales = {
  name: 'without-locales',
  setup({ onLoad }) {
    const filter = /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/;
    onLoad({ filter }, () => ({ contents: 'export {};' }));
  },
};

/** Node prints the line of source that an uncaught error comes from: in what apps import it must be a short one. */
const LINE = 200;

const asked = process.argv.slice(2);
const chosen = bundles.filter(
  ({ name, entry }) =>
    existsSync(join(root, entry)) && (asked.length === 0 || asked.includes(name)),
);

mkdirSync(meta, { recursive: true });
mkdirSync(dist, { recursive: true });
const start = performance.now();
await Promise.all(chosen.map(bundle));
const hosts = copyHosts();
copyContracts();
const sdk = [...(await bundleSdk()), ...(await bundlePayPage())];
if (asked.length === 0) removeLeftovers();
const kinds = chosen.map(({ name }) => `${name}.js`).join(', ');
console.log(`built ${kinds} in ${Math.round(performance.now() - start)} ms`);

async function bundle(of) {
  const { name, entry, target, external = [], lazy = {}, unused = [], plugins = [] } = of;
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: join(dist, `${name}.js`),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    target,
    minify: true,
    ...(['ledger', 'receipts', 'seller', 'upto'].includes(name) ? { lineLimit: LINE } : {}),
    legalComments: 'linked',
    metafile: true,
    external,
    plugins: [lazyFiles(lazy), leftOut(unused), withoutLocales, ...plugins],
    // `import()` of a bundle of ours becomes `require`, which the compile cache of Node covers.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__bundleUrl' },
    banner: { js: needsWebCrypto(name) ? `${bundleUrl}${webCrypto}` : bundleUrl },
    logLevel: 'warning',
  });
  writeFileSync(join(meta, `${name}.json`), JSON.stringify(metafile));
}

/**
 * The client SDK is an ES module for apps that are bundled again, and one module of each kind for Node. The first is in parts,
 * which package.json says have no effects: an app gets those that it uses, and XDR only when it signs.
 */
async function bundleSdk() {
  rmSync(join(dist, 'sdk'), { recursive: true, force: true });
  const parts = [
    'protocol/smartAccount/accountSignature',
    'protocol/smartAccount/explainRefusal',
    'protocol/smartAccount/passkeyAssertion',
    'protocol/smartAccount/signer',
    'sdk/exact/errors',
    'sdk/exact/paymentSigner',
    'sdk/policies/createPolicyClient',
    'sdk/policies/signControlProof',
    'sdk/policies/walletPolicies',
    'sdk/wallet/createSvcWallet',
    'sdk/wallet/smartAccountSigners',
    'sdk/wallet/x402Fetch',
  ].map((path) => [`sdk/${path.split('/').at(-1)}`, `src/${path}.ts`]);
  const crypto = "import{webcrypto as __crypto}from'node:crypto';globalThis.crypto??=__crypto;";
  const common = `'use strict';${webCrypto}`;
  const outputs = [
    { file: 'sdk.mjs', platform: 'browser', js: '', splitting: true, entries: parts },
    { file: 'sdk.node.mjs', platform: 'node', js: crypto, splitting: false, entries: [] },
    { file: 'sdk.cjs', platform: 'node', js: common, splitting: false, entries: [] },
  ];
  for (const { file, platform, js, splitting, entries } of outputs) {
    const extension = file.endsWith('.cjs') ? '.cjs' : '.mjs';
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: Object.fromEntries([
        [file.slice(0, -extension.length), 'src/sdk/index.ts'],
        ...entries,
      ]),
      outdir: dist,
      outExtension: { '.js': extension },
      chunkNames: 'sdk/part-[hash]',
      bundle: true,
      splitting,
      platform,
      format: extension === '.cjs' ? 'cjs' : 'esm',
      mainFields: ['module', 'main'],
      target: 'es2022',
      minify: true,
      lineLimit: LINE,
      legalComments: 'linked',
      metafile: true,
      plugins: [withoutLocales],
      banner: { js },
      logLevel: 'warning',
    });
    writeFileSync(join(meta, `${file}.json`), JSON.stringify(metafile));
  }
  return [...outputs.flatMap(({ file }) => [file, `${file}.LEGAL.txt`]), 'sdk'];
}

/** What pays in the page of a 402, for browsers. */
async function bundlePayPage() {
  const file = 'pay-page.js';
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/payPage/main.ts'],
    outfile: join(dist, file),
    bundle: true,
    platform: 'browser',
    format: 'iife',
    mainFields: ['module', 'main'],
    target: 'es2022',
    minify: true,
    legalComments: 'linked',
    metafile: true,
    plugins: [
      withoutLocales,
      // XDR as JSON, which takes a tenth of the page: nothing here writes or reads it.
      leftOut([
        {
          path: /^\.\/to-json\.js$/,
          contents: 'export function walkToJson() {} export { walkToJson as walkFromJson };',
        },
      ]),
    ],
    logLevel: 'warning',
  });
  writeFileSync(join(meta, 'pay-page.json'), JSON.stringify(metafile));
  return [file, `${file}.LEGAL.txt`];
}

/** Oldest editors load bundles on Node 16; the discovery server and the command line itself sign nothing. */
function needsWebCrypto(name) {
  const without = [
    'extension',
    'payments',
    'tools',
    'budgets',
    'ports',
    'servers',
    'policies',
    'codegen',
    'mcp',
    'cli',
  ];
  return !without.includes(name);
}

/** Takes modules out that a bundle imports and never calls. */
function leftOut(modules) {
  const namespace = 'left-out';
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      for (const { path: filter, contents } of modules) {
        onResolve({ filter }, ({ path }) => ({ path, namespace, pluginData: contents }));
      }
      onLoad({ filter: /.*/, namespace }, ({ pluginData: contents }) => ({ contents }));
    },
  };
}

/** Sends an import to another bundle, which is then loaded at run time. */
function lazyFiles(files) {
  return {
    name: 'lazy-files',
    setup({ onResolve }) {
      for (const [path, file] of Object.entries(files)) {
        const filter = new RegExp(`^${path.replaceAll('.', '\\.')}$`);
        onResolve({ filter }, ({ kind }) =>
          kind === 'dynamic-import' ? { path: file, external: true } : undefined,
        );
      }
    },
  };
}

/** The WebAssembly and the search's table of words that the server bundle loads at run time are beside it. */
function copyHosts() {
  const folder = join(root, 'network', 'host');
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^ledger-host-\d+\.wasm$/.test(name))
    : [];
  for (const name of names) copyFileSync(join(folder, name), join(dist, name));
  const [from, sqlite] = ['node_modules/node-sqlite3-wasm/dist', 'node-sqlite3-wasm.wasm'];
  copyFileSync(join(root, from, sqlite), join(dist, sqlite));
  const words = 'search-words.bin';
  copyFileSync(join(root, 'src', 'server', 'search', 'semantic', 'words.bin'), join(dist, words));
  return [...names, sqlite, words];
}

/** The contracts that a network begins with are in a folder beside the bundle. */
function copyContracts() {
  const [from, to] = [join(root, 'contracts', 'wasm'), join(dist, 'contracts')];
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

/** Files of an earlier build. The others are replaced in place, so that what runs finds them. */
function removeLeftovers() {
  const current = new Set([...hosts, ...sdk, ...DECLARATIONS, 'contracts']);
  for (const { name } of chosen) {
    current.add(`${name}.js`);
    current.add(`${name}.js.LEGAL.txt`);
  }
  for (const file of readdirSync(dist).filter((name) => !current.has(name))) {
    rmSync(join(dist, file), { recursive: true });
  }
}
