import { encodeStrKey } from '../../protocol/index.ts';
import type { PolicyTemplate, PolicyType } from '../../protocol/policies/index.ts';

const NOBODY = new Uint8Array(32);
const WALLET = encodeStrKey('contract', NOBODY);
const KEY = encodeStrKey('account', NOBODY);
const OTHER_KEY = encodeStrKey('account', new Uint8Array(32).fill(1));

/**
 * The templates and what enforces each (spec: Policy gateway: a template claims nothing that it does not provide). The
 * addresses in the examples are placeholders.
 */
export const TEMPLATES: Readonly<Record<PolicyType, PolicyTemplate>> = {
  spending_limit: {
    type: 'spending_limit',
    title: 'Spending limit',
    enforcement: { kind: 'policy-contract' },
    enforcementLabel:
      'Its own policy contract, called in the account’s __check_auth: a cumulative allowance in a fixed or sliding window of 24 hours, 7 days or 30 days, and optionally a maximum per payment, a number of payments and a list of recipients. An owner of the account can change these limits.',
    description:
      'Keys that name it may spend up to a limit of one asset per window, paid to anyone or to listed recipients. Under upto the ceiling must fit, and the unused rest is released.',
    example: {
      version: '1',
      type: 'spending_limit',
      owners: [WALLET],
      spendingLimits: { dailyXlm: '10' },
    },
  },
  verified_only: {
    type: 'verified_only',
    title: 'Verified recipients only',
    enforcement: { kind: 'policy-contract' },
    enforcementLabel:
      'Its own policy contract, called in the account’s __check_auth: it reads an attestation registry and refuses recipients that are not currently attested.',
    description:
      'Keys that name it pay only contracts whose source is attested as reproducible and attributable. It does not cap amounts, and verified does not mean audited or safe.',
    example: { version: '1', type: 'verified_only', owners: [WALLET], registry: WALLET },
  },
  multisig: {
    type: 'multisig',
    title: 'Several signatures',
    enforcement: { kind: 'signer-limits' },
    enforcementLabel:
      'The account’s own signer limits, without a policy contract. They limit the key, not owners.',
    description:
      'A key calls the listed contracts only if all the other keys, which must also be keys of the account, sign too.',
    example: {
      version: '1',
      type: 'multisig',
      owners: [WALLET],
      signer: KEY,
      contracts: [WALLET],
      coSigners: [OTHER_KEY],
    },
  },
  allow_list: {
    type: 'allow_list',
    title: 'Allowed contracts',
    enforcement: { kind: 'signer-limits' },
    enforcementLabel:
      'The account’s own signer limits, without a policy contract. They restrict the called contracts, not the recipients of money.',
    description: 'A key calls only the listed contracts. It does not cap amounts.',
    example: {
      version: '1',
      type: 'allow_list',
      owners: [WALLET],
      signer: KEY,
      contracts: [WALLET],
    },
  },
};
