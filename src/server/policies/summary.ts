import { assetName } from '../../protocol/index.ts';
import type { PolicySummary } from '../../protocol/policies/index.ts';
import type { ReadDefinition } from './definition/readDefinition.ts';
import { NAMED, OWNERS, summaryOfLimit } from './limitSummary.ts';

/** Summarizes what a policy will and will not prevent, for its signer. */
export function summaryOf(definition: ReadDefinition): PolicySummary {
  switch (definition.type) {
    case 'spending_limit':
      return summaryOfLimit(definition);
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
