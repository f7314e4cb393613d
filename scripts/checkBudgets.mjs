// Checks the sizes of shipped files against their limits.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** In units of 1,000 bytes; for a folder, the sum of its files. Files that are not built yet are skipped. */
const budgets = {
  'extension.js': 232,
  'payments.js': 460,
  'tools.js': 10,
  'budgets.js': 40,
  'ports.js': 25,
  'servers.js': 20,
  'policies.js': 90,
  'codegen.js': 900,
  'cli.js': 130,
  'server.js': 130,
  'service.js': 2_900,
  'tracing.js': 70,
  'schema-worker.js': 200,
  'simulation-worker.js': 700,
  'upto.js': 400,
  'receipts.js': 210,
  'seller.js': 460,
  'pay-page.js': 285,
  'ledger.js': 1_900,
  sdk: 322,
  'sdk.node.mjs': 337,
  'mcp.js': 900,
  'ledger-host-27.wasm': 5_500,
  'ledger-host-28.wasm': 5_500,
  'search-words.bin': 5_000,
  'contracts/upto.wasm': 16,
  'contracts/channel.wasm': 14,
  'contracts/channel-opener.wasm': 8,
  'contracts/smart-account.wasm': 48,
  'contracts/spending-limit.wasm': 25,
  'contracts/verified-only.wasm': 14,
  'contracts/attestation-registry.wasm': 11,
};

let over = 0;
for (const [file, most] of Object.entries(budgets)) {
  const path = join(root, 'dist', file);
  if (!existsSync(path)) continue;
  const size = sizeOf(path) / 1000;
  if (size > most) over += 1;
  const verdict = size > most ? 'FAILED' : 'ok';
  console.log(`${verdict}  ${file}  ${size.toFixed(1)} kB of ${most} kB`);
}
process.exit(over === 0 ? 0 : 1);

function sizeOf(path) {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
