import { t } from '../words/index.ts';
import type { KeyPolicy } from './keyPolicy.ts';
import { assetWords, shortAddress } from './policyWords.ts';

/** A line that describes what a key may do; short, because sidebars are narrow. */
export function limitLabel({ key, contracts, coSigners }: KeyPolicy): string {
  const [first = '', second] = contracts.map(assetWords);
  const names =
    contracts.length > 2
      ? t('{0} contracts', contracts.length)
      : second === undefined
        ? first
        : `${first}, ${second}`;
  const others = coSigners.length;
  const short = shortAddress(key);
  if (others === 0) return t('{0}: only {1}', short, names);
  return others === 1
    ? t('{0}: only {1}, with 1 other key', short, names)
    : t('{0}: only {1}, with {2} other keys', short, names, others);
}

/** The kind of limit. */
export function limitType({ coSigners }: KeyPolicy): string {
  return coSigners.length === 0 ? t('Allowed contracts') : t('Several signatures');
}

/** Keys that must sign but cannot, because the account does not know them. */
export function missingCoSigners({ coSigners }: KeyPolicy): readonly string[] {
  return coSigners.filter(({ standing }) => standing === 'missing').map(({ key }) => key);
}

/** The state of the limits, in a few words. */
export function limitState(limits: KeyPolicy): string {
  const { length } = missingCoSigners(limits);
  if (length === 0) return t('has no amount limit');
  return length === 1
    ? t('can do nothing: a key that must sign is not in the account')
    : t('can do nothing: {0} keys that must sign are not in the account', length);
}

/** What else a co-signing key may do. */
export function standingWords({ standing }: KeyPolicy['coSigners'][number]): string {
  switch (standing) {
    case 'missing':
      return t('not in the account');
    case 'co-signer':
      return t('can do nothing alone');
    case 'limited':
      return t('has limits of its own');
    case 'owner':
      return t('an owner: can act alone');
  }
}
