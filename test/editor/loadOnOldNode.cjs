// Loads what the oldest editors load, on the Node that they bring. `vscode` is there only in an
// editor: here it is an object that has every member. usage: node16 test/editor/loadOnOldNode.cjs

const { join } = require('node:path');
const Module = require('node:module');

const anything = new Proxy(class {}, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => '' : anything),
  construct: () => anything,
  apply: () => anything,
});
const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? anything : load(request, ...rest));

for (const name of ['extension', 'payments', 'codegen', 'servers', 'ports']) {
  const start = process.hrtime.bigint();
  const exported = require(join(__dirname, '..', '..', 'dist', `${name}.js`));
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  const names = Object.keys(exported);
  if (names.length === 0) throw new Error(`${name}.js exports nothing`);
  console.log(
    `Node ${process.versions.node}: ${name}.js loads in ${ms.toFixed(0)} ms: ${names.join(', ')}`,
  );
}

const { findRoutes } = require(join(__dirname, '..', '..', 'dist', 'codegen.js'));
const [route] = findRoutes({
  path: '/server.js',
  text: "import express from 'express';\nconst app = express();\napp.get('/weather', (q, r) => r.json({}));\n",
});
if (route === undefined || route.path !== '/weather') throw new Error('codegen.js finds no route');
