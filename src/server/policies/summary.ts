import { assetName, formatDecimalAmount } from '../../protocol/index.ts';
import type { LimitMember, PolicySummary } from '../../protocol/policies/index.ts';
import type { ReadDefinition } from './definition/readDefinition.ts';

const NAMED =
  'It is inert until it is attached, and has no effect on a key that does not name it in its grants for the contract that is called.';
const OWNERS = 'Owners of the account are not limited by it.';

const SPANS: Readonly<Record<LimitMember, string>> = {
  daily: '24 hours',
  weekly: '7 days',
  monthly: '30 days',
};

/** Summarizes what a policy will and will not prevent, for its signer. */
export function summaryOf(definition: ReadDefinition): PolicySummary {
  switch (definition.type) {
    case 'spending_limit': {
      const { asset, amount, decimals, window, perPayment, recipients } = definition;
      const name = asset === null ? 'XLM' : assetName(asset);
      const cap = `${formatDecimalAmount(amount, decimals)} ${name === asset ? `of ${asset}` : name}`;
      const twice = `${formatDecimalAmount(2n * amount, decimals)} ${name === asset ? 'of it' : name}`;
      return {
        title: `At most ${cap} in ${SPANS[window]}`,
        prevents: [
          ...(perPayment === null
            ? []
            : [`Paying more than ${formatDecimalAmount(perPayment, decimals)} of it at once.`]),
          ...(recipients === null ? [] : [`Paying anybody but ${recipients.join(', ')}.`]),
          `Spending more than ${cap} within one window, by transfer or under upto.`,
          'Allowances, burning, and any other function of the asset’s contract.',
        ],
        doesNotPrevent: [
          ...(recipients === null ? ['Paying anybody: it has no opinion on the recipient.'] : []),
          'Spending other assets, for which it does not count.',
          OWNERS,
        ],
        warnings: [
          `The window is fixed and does not slide: around its end up to ${twice} can move in a short span. It is a guardrail, not a hard cap.`,
          NAMED,
        ],
      };
    }
    case 'verified_only':
      return {
        title: 'Verified contracts only',
        prevents: [
          `Paying an address that is not attested now by the registry ${definition.registry}, accounts (G…) included.`,
          'Any call that names no recipient.',
        ],
        doesNotPrevent: [
          'Spending any amount: it caps none. A spending limit beside it does.',
          'Paying a contract that is attested and harmful: verified means reproducible, attributable source.',
          OWNERS,
        ],
        warnings: ['It trusts the attestor of the registry.', NAMED],
      };
    case 'multisig': {
      const { signer, coSigners } = definition;
      const others = coSigners.length === 1 ? '1 other key' : `${coSigners.length} other keys`;
      return {
        title: `${signer} acts only together with ${others}`,
        prevents: [
          `That this key acts without the signature of ${coSigners.join(' and of ')}.`,
          otherContracts(definition.contracts),
        ],
        doesNotPrevent: ['Any amount, to anybody, once all have signed.', OWNERS],
        warnings: [
          'All of the other keys must sign: one that is lost stops this key.',
          'They must be keys of the account: while one is not, this key can do nothing.',
          'What one of the other keys may do alone its own limits say; one that is an owner needs nobody.',
        ],
      };
    }
    case 'allow_list':
      return {
        title: `${definition.signer} calls only contracts of a list`,
        prevents: [otherContracts(definition.contracts)],
        doesNotPrevent: [
          'Any amount, to anybody, by the contracts that are named: an asset that is named can be sent anywhere.',
          'Any function of these contracts: allowances of an asset too.',
          OWNERS,
        ],
        warnings: ['It names contracts, not recipients.'],
      };
  }
}

function otherContracts(contracts: readonly string[]): string {
  return `That this key calls other contracts than ${contracts.map(assetName).join(', ')}.`;
}
