import type { KeyPolicy } from './keyPolicy.ts';
import { assetWords, shortAddress } from './policyWords.ts';

/** One line of what a key may do; short, since sidebars are narrow. */
export function limitLabel({ key, contracts, coSigners }: KeyPolicy): string {
  const [first = '', second] = contracts.map(assetWords);
  const names =
    contracts.length > 2
      ? `${contracts.length} contracts`
      : second === undefined
        ? first
        : `${first}, ${second}`;
  const others = coSigners.length;
  const together = others === 0 ? '' : `, with ${others} other key${others === 1 ? '' : 's'}`;
  return `${shortAddress(key)}: only ${names}${together}`;
}

/** The kind of limit. */
export function limitType({ coSigners }: KeyPolicy): string {
  return coSigners.length === 0 ? 'Allowed contracts' : 'Several signatures';
}

/** Keys that must sign and cannot: the account does not know them. */
export function missingCoSigners({ coSigners }: KeyPolicy): readonly string[] {
  return coSigners.filter(({ standing }) => standing === 'missing').map(({ key }) => key);
}

/** What happens with it next. */
export function limitState(limits: KeyPolicy): string {
  const { length } = missingCoSigners(limits);
  if (length === 0) return 'caps no amount';
  return `can do nothing: ${length === 1 ? 'a key that must sign is' : `${length} keys that must sign are`} not in the account`;
}

/** What a key that must sign may do besides. */
export function standingWords({ standing }: KeyPolicy['coSigners'][number]): string {
  switch (standing) {
    case 'missing':
      return 'not in the account';
    case 'co-signer':
      return 'does nothing alone';
    case 'limited':
      return 'has limits of its own';
    case 'owner':
      return 'an owner: needs nobody';
  }
}
