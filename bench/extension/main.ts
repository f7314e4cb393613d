// `npm run bench -- extension [--runs N]`: the cost of the editor extension: sizes, activation, memory, and the start of the
// discovery server and the local service.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as spawnService from '../../src/extension/service/spawnService.ts';
import { freePort, MeasuredProcess } from '../measuredProcess.ts';
import { statistics } from '../statistics.ts';
import { table } from '../table.ts';
import { mcpStart } from './mcpStart.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const runs = Number(values.runs);
/** By then, the service has finished loading in the background and has released memory that it no longer needs. */
const REST_MS = 15_000;
/** The environment that the editor gives the service. Commits before it had any can be compared too. */
const variables = 'SERVICE_VARIABLES' in spawnService ? spawnService.SERVICE_VARIABLES : {};
const root = fileURLToPath(new URL('../../', import.meta.url));
const dist = (name: string) => join(root, 'dist', name);

console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}\n`);

// Commits before the small `server.js` contain the entire service in it.
const bundles = [
  ...['extension.js', 'payments.js', 'codegen.js', 'mcp.js', 'cli.js'],
  existsSync(dist('service.js')) ? 'service.js' : 'server.js',
];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};
const packed = join(root, 'build', `svc-x402-${version}.vsix`);
const sizes = bundles.map((name) => [name, megabytes(statSync(dist(name)).size)]);
if (existsSync(packed)) sizes.push(['.vsix, all platforms', megabytes(statSync(packed).size)]);
console.log(`Sizes\n\n${table(['file', 'MB'], sizes)}\n`);

const once = fileURLToPath(new URL('./activateOnce.cjs', import.meta.url));
const activations = Array.from({ length: runs }, () => {
  const output = execFileSync(process.execPath, [once], { encoding: 'utf8' });
  return JSON.parse(output) as Activation;
});
const rows = (...measured: (readonly [string, readonly number[], string?])[]) =>
  measured.map(([name, values, aim = '']) => {
    const { median, low, high } = statistics(values);
    return [name, ...[median, low, high].map((value) => value.toFixed(1)), aim];
  });
const header = (unit: string) => [unit, 'median', 'p10', 'p90', 'aim'];
const each = (pick: (activation: Activation) => number) => activations.map(pick);

const activation = rows(
  ['load its bundle', each(({ load }) => load)],
  ['activate it', each(({ activate }) => activate)],
  ['both', each(({ load, activate }) => load + activate), '< 50'],
  ['both, processor time', each(({ cpu }) => cpu), '< 50'],
);
console.log(`Activation of the extension\n\n${table(header('ms'), activation)}\n`);

const starts: number[] = [];
for (let run = 0; run < runs; run += 1) starts.push(await mcpStart(dist('mcp.js')));
const emptyStarts = Array.from({ length: runs }, emptyStart);
const services = await measureService(3);
const started = rows(
  ['discovery server, to its list of tools', starts, '< 200'],
  ['of that, Node itself', emptyStarts],
  ['local service, to /health', services.map(({ ms }) => ms), '≤ 500'],
);
console.log(`Starts of processes\n\n${table(header('ms'), started)}\n`);

const memory = rows(
  ['added to the extension host', each(({ memory }) => memory)],
  ['local service at its first answer', services.map(({ first }) => first)],
  ['local service at rest', services.map(({ rest }) => rest), '≤ 110'],
);
console.log(`Memory\n\n${table(header('MB'), memory)}`);

/** The cost of one activation in a separate process, in milliseconds and MB. */
interface Activation {
  readonly load: number;
  readonly activate: number;
  readonly cpu: number;
  readonly memory: number;
}

/** Milliseconds that Node takes to start and exit with nothing to do. */
function emptyStart(): number {
  const begun = performance.now();
  execFileSync(process.execPath, ['--eval', '0']);
  return performance.now() - begun;
}

/** Milliseconds, and MB at the first response and after some seconds without requests. */
interface ServiceStart {
  readonly ms: number;
  readonly first: number;
  readonly rest: number;
}

async function measureService(count: number): Promise<ServiceStart[]> {
  const measured: ServiceStart[] = [];
  for (let run = 0; run < count; run += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-x402-bench-'));
    const port = String(await freePort());
    const ledgerPort = String(await freePort());
    const service = new MeasuredProcess(
      process.execPath,
      [
        ...[dist('server.js'), '--data-dir', folder, '--json'],
        ...['--facilitator-port', port, '--ledger-port', ledgerPort],
      ],
      root,
      variables,
    );
    const ms = await service.firstAnswer(() => fetch(`http://127.0.0.1:${port}/health`));
    const first = service.memory();
    await pause(REST_MS);
    measured.push({ ms, first, rest: service.memory() });
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return measured;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(3);
}
