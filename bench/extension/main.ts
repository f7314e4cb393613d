// `npm run bench -- extension [--runs N]`: what the editor extension costs: sizes, activation,
// memory, the discovery server's start, and the local service's.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort, MeasuredProcess } from '../measuredProcess.ts';
import { statistics } from '../statistics.ts';
import { table } from '../table.ts';
import { mcpStart } from './mcpStart.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const runs = Number(values.runs);
const root = fileURLToPath(new URL('../../', import.meta.url));
const dist = (name: string) => join(root, 'dist', name);

console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}\n`);

const bundles = ['extension.js', 'payments.js', 'codegen.js', 'mcp.js', 'cli.js', 'server.js'];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};
const packed = join(root, 'build', `svc-x402-${version}.vsix`);
const sizes = bundles.map((name) => [name, megabytes(statSync(dist(name)).size)]);
if (existsSync(packed)) sizes.push(['.vsix, all platforms', megabytes(statSync(packed).size)]);
console.log(`${table(['file', 'MB'], sizes)}\n`);

const once = fileURLToPath(new URL('./activateOnce.cjs', import.meta.url));
const activations = Array.from({ length: runs }, () => {
  const output = execFileSync(process.execPath, [once], { encoding: 'utf8' });
  return JSON.parse(output) as {
    load: number;
    activate: number;
    cpu: number;
    memory: number;
  };
});
const starts: number[] = [];
for (let run = 0; run < runs; run += 1) starts.push(await mcpStart(dist('mcp.js')));
const services = await measureService(3);

const row = (name: string, measured: readonly number[], digits = 0) => {
  const { median, low, high } = statistics(measured);
  return [name, ...[median, low, high].map((value) => value.toFixed(digits))];
};
console.log(
  table(
    ['', 'median', 'p10', 'p90'],
    [
      row(
        'load the extension, ms',
        activations.map(({ load }) => load),
        1,
      ),
      row(
        'activate it, ms',
        activations.map(({ activate }) => activate),
        1,
      ),
      row(
        'both, processor time, ms',
        activations.map(({ cpu }) => cpu),
        1,
      ),
      row(
        'memory it adds to the extension host, MB',
        activations.map(({ memory }) => memory),
        1,
      ),
      row('discovery server: start to tools/list, ms', starts),
      row(
        'local service: start to /health, ms',
        services.map(({ ms }) => ms),
      ),
      row(
        'local service: memory at rest, MB',
        services.map(({ memory }) => memory),
      ),
    ],
  ),
);

async function measureService(count: number): Promise<{ ms: number; memory: number }[]> {
  const measured: { ms: number; memory: number }[] = [];
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
    );
    const ms = await service.firstAnswer(() => fetch(`http://127.0.0.1:${port}/health`));
    measured.push({ ms, memory: service.memory() });
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return measured;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(3);
}
