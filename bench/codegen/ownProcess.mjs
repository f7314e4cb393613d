// Loads the bundle in its own process, as the editor does when the command first runs, and prints the cost of one file.
// usage: node ownProcess.mjs change|lenses FILE RUNS

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const [, , work, file, runs] = process.argv;
const text = readFileSync(file, 'utf8');
const before = process.memoryUsage().rss;

const start = performance.now();
const startCpu = process.cpuUsage();
const code = createRequire(import.meta.url)(
  fileURLToPath(new URL('../../dist/codegen.js', import.meta.url)),
);
const loaded = performance.now();
run();
const cold = performance.now();
const coldCpu = milliseconds(process.cpuUsage(startCpu));
const memory = process.memoryUsage().rss;

const warm = [];
for (let count = 0; count < Number(runs); count += 1) {
  const begin = performance.now();
  run();
  warm.push(performance.now() - begin);
}
const warmCpu = milliseconds(process.cpuUsage(startCpu)) - coldCpu;
const after = process.memoryUsage().rss;
console.log(
  JSON.stringify({
    load: loaded - start,
    cold: cold - start,
    coldCpu,
    warm,
    warmCpu: warmCpu / warm.length,
    before,
    memory,
    after,
  }),
);

function milliseconds({ user, system }) {
  return (user + system) / 1000;
}

function run() {
  const routes = code.findRoutes({ path: 'src/app.ts', text });
  if (work === 'lenses') return;
  const middle = routes[Math.floor(routes.length / 2)];
  const result = code.addPayment({
    path: 'src/app.ts',
    text,
    offset: middle.range.start,
    price: '0.01',
    payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
    facilitatorUrl: 'http://127.0.0.1:4021',
    packageName: 'bench',
  });
  if (!result.ok) throw new Error(result.refusal.message);
  code.applyEdits(text, result.edits);
}
