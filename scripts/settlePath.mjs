// Lists the files of ours that run between a request to `/settle` and its answer, with their lines: what a newcomer opens to
// follow one payment. `node --import tsx scripts/settlePath.mjs`; `--below` also lists the files below the path, `--functions`
// names what ran in each file.
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

/** Time without a request: what runs then too, such as a timer's work, is not part of a settlement. */
const IDLE_MS = 3_000;

/** The functions of ours that ran, by file, as names with their place. */
function functionsIn({ result }) {
  const ours = result.filter(({ url }) => url.startsWith(`file://${root}src/`));
  const ran = new Map();
  for (const { url, functions } of ours) {
    const names = functions
      .filter(({ ranges: [{ count }] }) => count > 0)
      .map(({ functionName, ranges: [{ startOffset }] }) => `${functionName}@${startOffset}`);
    if (names.length > 0) ran.set(fileURLToPath(url).slice(root.length), names);
  }
  return ran;
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
  const settled = functionsIn(await settle());
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const idle = functionsIn(await session.post('Profiler.takePreciseCoverage'));
  const rows = [...settled.keys()].sort().flatMap((file) => {
    const names = settled.get(file).filter((name) => !(idle.get(file) ?? []).includes(name));
    const lines = readFileSync(root + file, 'utf8').split('\n').length - 1;
    return names.length === 0 ? [] : [{ file, lines, names, below: BELOW.test(file) }];
  });
  const sum = (some) => some.reduce((total, { lines }) => total + lines, 0);
  const path = rows.filter(({ below }) => !below);
  const below = rows.filter((row) => row.below && !row.file.startsWith('src/ledger/'));
  for (const { file, lines, names } of path) {
    console.log(`${file} ${lines}`);
    if (process.argv.includes('--functions')) console.log(`  ${names.join(' ')}`);
  }
  console.log(`\n${path.length} files, ${sum(path)} lines`);
  console.log(`below it: ${below.length} files, ${sum(below)} lines`);
  if (process.argv.includes('--below'))
    for (const { file, lines } of below) console.log(`${file} ${lines}`);
} finally {
  await stack.facilitator.close?.();
  await stack.close();
}
process.exit(0);
