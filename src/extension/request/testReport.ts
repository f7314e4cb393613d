import { formatDecimalAmount } from '../../protocol/index.ts';
import { TEST_FAILURES, type TestFailure } from './testFailure.ts';
import { TEST_STEPS, type TestResult, type TestStep } from './testSteps.ts';

/** Address of a transaction for people; `undefined` where there is no explorer. */
export type LinkOf = (transaction: string) => string | undefined;

/** The account of a test payment that settled, as Markdown. */
export function describeResult(result: TestResult, linkOf: LinkOf): string {
  return [
    '# Test payment: settled',
    '',
    `**${formatDecimalAmount(result.amount)} USDC** for \`${result.method} ${result.url}\` in ${seconds(result.ms)}.`,
    '',
    ...describeSteps(result.steps, linkOf),
    '',
    `- Payer: \`${result.payer}\` (a throwaway key, gone now)`,
    `- Paid to: \`${result.payTo}\``,
    `- Settlement: ${link(result.settlement, linkOf)}`,
    '',
    `## What the endpoint answered (${result.status})`,
    '',
    ...fenced(result.body),
    '',
  ].join('\n');
}

/** The account of a test payment that did not come about, as Markdown. */
export function describeFailure(
  url: string,
  failure: TestFailure,
  steps: readonly TestStep[],
  linkOf: LinkOf,
): string {
  const failed = TEST_STEPS[steps.length];
  return [
    `# Test payment: ${failure.code === 'cancelled' ? 'cancelled' : 'failed'}`,
    '',
    TEST_FAILURES[failure.code].sentence,
    '',
    `\`${url}\``,
    '',
    ...describeSteps(steps, linkOf),
    ...(failed ? [`${steps.length + 1}. ✗ ${failed.title}`] : []),
    '',
    ...(failure.detail === '' ? [] : ['## In their words', '', ...fenced(failure.detail), '']),
    ...(failure.transaction === ''
      ? []
      : [`- Transaction: ${link(failure.transaction, linkOf)}`, '']),
  ].join('\n');
}

function describeSteps(steps: readonly TestStep[], linkOf: LinkOf): string[] {
  return steps.map(({ name, ms, outcome, transaction }, index) => {
    const title = TEST_STEPS.find((step) => step.name === name)?.title ?? name;
    const where = transaction === undefined ? '' : ` ${link(transaction, linkOf)}`;
    return `${index + 1}. ✓ ${title}: ${outcome}${where} (${ms} ms)`;
  });
}

function link(transaction: string, linkOf: LinkOf): string {
  const url = linkOf(transaction);
  const short = `${transaction.slice(0, 8)}…`;
  return url === undefined ? `\`${transaction}\`` : `[${short}](${url})`;
}

/** A fence longer than any run of backticks in the text, which a stranger wrote. */
function fenced(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, text, fence];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
