// Starts everything that the agent needs on this machine (network, facilitator, a seller that has been paid once and so is in
// the catalog), runs it, and stops everything. The seller is the one in ../paid-api, whose packages have to be installed.
// usage: node alone.mjs [--json] "TASK"

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { svcX402 } from './settings.mjs';

const folder = mkdtempSync(join(tmpdir(), 'svc-x402-agent-'));
const ports = ['--ledger-port', '0', '--facilitator-port', '0'];
const service = spawn(
  process.execPath,
  [svcX402, 'dev', '--in-memory', '--json', '--log-level', 'error', '--data-dir', folder, ...ports],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const ended = new Promise((resolve) => service.once('close', resolve));
let status = 1;
try {
  const { facilitatorUrl, network } = await serving();
  const agent = spawn(
    process.execPath,
    [fileURLToPath(new URL('agent.mjs', import.meta.url)), ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        FACILITATOR_URL: facilitatorUrl,
        STELLAR_RPC_URL: network.rpcUrl,
        FRIENDBOT_URL: network.friendbotUrl,
      },
    },
  );
  status = await new Promise((resolve) => agent.once('close', resolve));
} catch (error) {
  console.error(error.message);
} finally {
  service.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = status ?? 1;

/** Returns the service's addresses, once its seller has been paid. */
async function serving() {
  for await (const line of createInterface({ input: service.stdout })) {
    const { event, ...facts } = JSON.parse(line);
    if (event === 'demo_failed') throw new Error(facts.message);
    if (event === 'serving') return facts;
  }
  throw new Error('The service did not start.');
}
