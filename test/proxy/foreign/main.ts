/**
 * `npm run lab -- upstreams [--only WORD] [--write]`
 *
 * Installs servers that the project did not write, puts the proxy in front of each, buys from it with three clients, and sends
 * hundreds of raw requests without a payment. `--write` writes docs/evidence/upstreams.md.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../cli/cliProcess.ts';
import { openSeller } from '../../support/accounts.ts';
import { startLocalStack } from '../../support/localStack.ts';
import { openBuyers } from './buyers.ts';
import { installForeign } from './install.ts';
import { isGood, type Judged, pageOf, reportOf } from './report.ts';
import { tryUpstream } from './trial.ts';
import { foreignUpstreams } from './upstreams.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const say = (line: string): void => console.error(`… ${line}`);
const page = fileURLToPath(new URL('../../../docs/evidence/upstreams.md', import.meta.url));

const installed = await installForeign(say);
const chosen = foreignUpstreams(installed).filter(({ name }) =>
  name.toLowerCase().includes((values.only ?? '').toLowerCase()),
);
if (chosen.length === 0) {
  console.error('--only names none of the servers.');
  process.exit(2);
}
const folder = temporaryFolder();
const stack = await startLocalStack({ policyProofRequired: false, checksLocalSellers: true });
const judged: Judged[] = [];
try {
  const payTo = (await openSeller(stack)).address;
  const buyers = await openBuyers(stack, folder.path);
  try {
    for (const upstream of chosen) {
      const { name, needs } = upstream;
      const missing = needs === undefined ? undefined : installed.missing.get(needs);
      say(name);
      judged.push(
        missing === undefined
          ? await tryUpstream(upstream, {
              ...{ buyers: buyers.all, payTo, facilitatorUrl: stack.facilitator.url },
            }).catch((error: unknown) => ({ name, absent: String(error) }))
          : { name, absent: missing },
      );
    }
  } finally {
    await buyers.close();
  }
} finally {
  await stack.close();
  folder.remove();
}
console.log(reportOf(judged));
if (values.write) writeFileSync(page, pageOf(judged));
process.exit(judged.every(isGood) ? 0 : 1);
