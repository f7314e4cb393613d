// Lists the files of ours that run between a request to `/settle` and its answer, with their lines: what a newcomer opens to
// follow one payment. `node --import tsx scripts/settlePath.mjs`; `--json` prints the list alone.
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

const { openPayer, openSeller } = await import('../test/support/accounts.ts');
const { freshPayment } = await import('../test/support/freshPayment.ts');
const { startLocalStack } = await import('../test/support/localStack.ts');
const { post } = await import('../test/support/post.ts');

const root = fileURLToPath(new URL('../', import.meta.url));

/** Pure readers of Stellar and x402 structures, and the network's RPC client: named by their callers, opened by nobody. */
const BELOW = /^src\/(ledger|machine|protocol|server\/(network|store|catalog|search|metrics))\//;

function ran({ url, functions }) {
  return (
    url.startsWith(`file://${root}src/`) && functions.some(({ ranges: [{ count }] }) => count > 0)
  );
}

const stack = await startLocalStack();
const payer = await openPayer(stack);
const seller = await openSeller(stack);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
try {
  const settle = async () => {
    const request = await freshPayment(stack, payer, seller);
    await session.post('Profiler.takePreciseCoverage');
    const { body } = await post(stack.facilitator.url, '/settle', request);
    if (body.success !== true) throw new Error(JSON.stringify(body));
    return session.post('Profiler.takePreciseCoverage');
  };
  // The first one compiles, reads keys and fills caches.
  await settle();
  const { result } = await settle();
  const files = result.filter(ran).map(({ url }) => fileURLToPath(url).slice(root.length));
  const rows = [...new Set(files)].sort().map((file) => {
    const lines = readFileSync(root + file, 'utf8').split('\n').length - 1;
    return { file, lines, below: BELOW.test(file) };
  });
  const sum = (some) => some.reduce((total, { lines }) => total + lines, 0);
  const path = rows.filter(({ below }) => !below);
  const below = rows.filter((row) => row.below && !row.file.startsWith('src/ledger/'));
  for (const { file, lines } of path) console.log(`${file} ${lines}`);
  console.log(`\n${path.length} files, ${sum(path)} lines`);
  console.log(`below it: ${below.length} files, ${sum(below)} lines`);
  if (process.argv.includes('--below'))
    for (const { file, lines } of below) console.log(`${file} ${lines}`);
} finally {
  await stack.facilitator.close?.();
  await stack.close();
}
process.exit(0);
