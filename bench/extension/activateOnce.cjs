// Loads the extension's bundle and activates it once, as an editor does, and prints the time and memory it took. `vscode` exists
// only in an editor; here it is an object that has every member and does nothing, so only the extension's own work is measured.

const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const Module = require('node:module');

const root = join(__dirname, '..', '..');
const anything = new Proxy(class {}, {
  get: (_target, name) => {
    if (name === Symbol.toPrimitive) return () => '';
    // Nobody looks at a view yet.
    return name === 'visible' ? false : anything;
  },
  set: () => true,
  construct: () => anything,
  apply: () => anything,
});
const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? anything : load(request, ...rest));

// Every extension host has loaded these before its first extension.
for (const name of ['child_process', 'crypto', 'fs/promises', 'http', 'https', 'readline', 'url']) {
  require(`node:${name}`);
}

const folder = mkdtempSync(join(tmpdir(), 'svc-x402-bench-'));
const kept = { get: (_name, otherwise) => otherwise, update: async () => {} };
const context = {
  subscriptions: [],
  globalState: kept,
  workspaceState: kept,
  globalStorageUri: { fsPath: folder },
  extensionUri: anything,
  environmentVariableCollection: anything,
  extension: { id: 'svc-x402.svc-x402', packageJSON: { version: '0' } },
  asAbsolutePath: (path) => join(root, path),
};
const before = process.memoryUsage().rss;
const cpuBefore = process.cpuUsage();
const begun = process.hrtime.bigint();
const { activate } = require(join(root, 'dist', 'extension.js'));
const loaded = process.hrtime.bigint();
activate(context);
const done = process.hrtime.bigint();
const cpu = process.cpuUsage(cpuBefore);
const ms = (from, to) => Number(to - from) / 1e6;
console.log(
  JSON.stringify({
    load: ms(begun, loaded),
    activate: ms(loaded, done),
    // On a busy machine, this is more meaningful than wall-clock time.
    cpu: (cpu.user + cpu.system) / 1000,
    memory: (process.memoryUsage().rss - before) / 1e6,
  }),
);
rmSync(folder, { recursive: true });
process.exit();
