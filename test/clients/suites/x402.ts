import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSeller } from '../../support/accounts.ts';
import { startLocalStack } from '../../support/localStack.ts';
import { sellerInstalled, startPaidSeller } from '../../support/paidSeller.ts';
import type { CaseResult } from '../results.ts';
import { absent, ran, type Suite } from '../suite.ts';
import { runTool } from '../tool.ts';

const example = fileURLToPath(new URL('../../../examples/paid-api/', import.meta.url));

function version(name: string): string {
  const file = join(example, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Lines of the example's programs. */
interface Step {
  readonly step: string;
  readonly negative?: string;
  readonly message?: string;
}

function stepsOf(output: string): Step[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Step);
}

/** A purchase and six refusals through the project's facilitator, all with published packages. */
const payments: Suite = {
  id: 'x402',
  client: sellerInstalled
    ? `npm @x402/fetch ${version('@x402/fetch')}, @x402/stellar ${version('@x402/stellar')}`
    : 'npm @x402/fetch, @x402/stellar',
  tests: 'a purchase and refused payments (examples/paid-api)',
  async run(place) {
    if (!sellerInstalled) return absent('examples/paid-api has no packages; run npm start once');
    const stack = await startLocalStack({}, { protocol: place.protocol });
    try {
      const { address: payTo } = await openSeller(stack);
      const seller = await startPaidSeller({ facilitatorUrl: stack.facilitator.url, payTo });
      try {
        const { urls, certificateAuthority } = stack.ledger;
        const authority = join(place.folder, 'ca.pem');
        writeFileSync(authority, certificateAuthority?.pem ?? '');
        const env = {
          STELLAR_RPC_URL: urls?.rpcTls ?? '',
          FRIENDBOT_URL: stack.friendbotUrl,
          NODE_EXTRA_CA_CERTS: authority,
          RESOURCE_URL: seller.url,
        };
        const cases: CaseResult[] = [];
        const node = (program: string) =>
          runTool(process.execPath, [program, '--json'], { cwd: example, env, seconds: 120 });
        const bought = await node('buyer.mjs');
        const settled = stepsOf(bought.stdout).some(({ step }) => step === 'settled');
        const detail = `${bought.stdout}\n${bought.stderr}`.trim();
        cases.push(
          settled && bought.code === 0
            ? { name: 'buyer.mjs buys', outcome: 'passed', detail: '' }
            : { name: 'buyer.mjs buys', outcome: 'failed', detail },
        );
        const refused = await node('negatives.mjs');
        for (const { step, negative, message } of stepsOf(refused.stdout)) {
          if (negative === undefined) continue;
          cases.push({
            name: `negatives.mjs: ${negative}`,
            outcome: step === 'refused' ? 'passed' : 'failed',
            detail: message ?? '',
          });
        }
        if (refused.code !== 0 && cases.every(({ outcome }) => outcome === 'passed')) {
          cases.push({ name: 'negatives.mjs', outcome: 'failed', detail: refused.stderr.trim() });
        }
        return ran(cases, detail);
      } finally {
        await seller.stop();
      }
    } finally {
      await stack.close();
    }
  },
};

const pythonPayments: Suite = {
  id: 'x402-python',
  client: 'PyPI x402 2.25.0',
  tests: 'payments',
  run: async () => absent('the package pays on EVM, Solana and TRON; it has no scheme for Stellar'),
};

/** Suites of the published x402 packages. */
export const x402: readonly Suite[] = [payments, pythonPayments];
