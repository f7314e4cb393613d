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
          `Paying an address that the registry ${definition.registry} does not currently attest, including accounts (G…).`,
          'Any call without a recipient.',
        ],
        doesNotPrevent: [
          'Spending any amount. Combine it with a spending limit to cap amounts.',
          'Paying a contract that is attested but harmful: verified means that its source is reproducible and attributable.',
          OWNERS,
        ],
        warnings: ['It trusts the registry’s attestor.', NAMED],
      };
    case 'multisig': {
      const { signer, coSigners } = definition;
      const others = coSigners.length === 1 ? '1 other key' : `${coSigners.length} other keys`;
      return {
        title: `${signer} acts only together with ${others}`,
        prevents: [
          `Actions of this key without the signature of ${coSigners.join(' and of ')}.`,
          otherContracts(definition.contracts),
        ],
        doesNotPrevent: ['Payments of any amount to anyone, once all have signed.', OWNERS],
        warnings: [
          'All the other keys must sign, so losing one of them blocks this key.',
          'They must all be keys of the account. As long as one is not, this key cannot act.',
          'What another key may do alone depends on its own limits. An owner’s key needs no other key.',
        ],
      };
    }
    case 'allow_list':
      return {
        title: `${definition.signer} calls only listed contracts`,
        prevents: [otherContracts(definition.contracts)],
        doesNotPrevent: [
          'Payments of any amount to anyone through the listed contracts: a listed asset can be sent anywhere.',
          'Calls of any function of these contracts, including an asset’s allowances.',
          OWNERS,
        ],
        warnings: ['It restricts contracts, not recipients.'],
      };
  }
}

function otherContracts(contracts: readonly string[]): string {
  return `Calls of this key to contracts other than ${contracts.map(assetName).join(', ')}.`;
}
