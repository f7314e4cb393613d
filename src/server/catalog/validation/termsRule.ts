import {
  canonicalPayTo,
  parseAtomicAmount,
  parseContractAddress,
  STELLAR_TESTNET,
  type StellarAddress,
} from '../../../protocol/index.ts';
import { paymentRequirementsSchema, type ValidationRule } from '../../../protocol/wire/index.ts';
import { echoed } from './received.ts';

/** Maximum number of options to judge, and to describe. */
const MAX_OPTIONS = 100;
const MAX_DESCRIBED = 3;

export interface JudgedTerms {
  readonly rule: ValidationRule;
  /** The recipient of the first option that can settle here. */
  readonly payTo: StellarAddress | undefined;
}

/** Returns why an option cannot settle here, with the value that was received; undefined if it can. */
function problemOf(option: unknown, schemes: readonly string[]): string | undefined {
  const { success, data, error } = paymentRequirementsSchema.safeParse(option);
  if (!success) {
    const member = error.issues[0]?.path.join('.');
    return member ? `${member} is missing or of another type` : `it is ${echoed(option)}`;
  }
  const { scheme, network, asset, amount, payTo } = data;
  if (network !== STELLAR_TESTNET) return `network is ${echoed(network)}`;
  if (!schemes.includes(scheme)) return `scheme is ${echoed(scheme)}`;
  if (parseContractAddress(asset) === undefined) return `asset is ${echoed(asset)}`;
  const units = parseAtomicAmount(amount);
  if (units === undefined || units === 0n) return `amount is ${echoed(amount)}`;
  if (canonicalPayTo(payTo) === undefined) return `payTo is ${echoed(payTo)}`;
  return undefined;
}

/**
 * Judges a challenge's `accepts` by what a settlement of each option will be judged by.
 * @param schemes those that this facilitator settles
 */
export function judgeTerms(accepts: unknown, schemes: readonly string[]): JudgedTerms {
  const fix = `Offer at least one option with network ${STELLAR_TESTNET}, scheme ${schemes.join(' or ')}, the asset’s contract address (C…), an amount in atomic units above zero, and a payTo that is a G or C address.`;
  const fail = (detail: string): JudgedTerms => ({
    rule: { rule: 'terms', outcome: 'failed', detail, mend: fix },
    payTo: undefined,
  });
  if (!Array.isArray(accepts)) return fail(`accepts is ${echoed(accepts)}`);
  if (accepts.length === 0) return fail('accepts is an empty list');
  const options: readonly unknown[] = accepts.slice(0, MAX_OPTIONS);
  const problems: string[] = [];
  for (const [n, option] of options.entries()) {
    const problem = problemOf(option, schemes);
    if (problem === undefined) {
      const { payTo } = paymentRequirementsSchema.parse(option);
      return { rule: { rule: 'terms', outcome: 'passed' }, payTo: canonicalPayTo(payTo) };
    }
    if (problems.length < MAX_DESCRIBED) problems.push(`accepts[${n}]: ${problem}`);
  }
  return fail(problems.join('; '));
}
