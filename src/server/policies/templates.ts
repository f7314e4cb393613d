import { encodeStrKey } from '../../protocol/index.ts';
import type { PolicyTemplate, PolicyType } from '../../protocol/policies/index.ts';

const NOBODY = new Uint8Array(32);
const WALLET = encodeStrKey('contract', NOBODY);
const KEY = encodeStrKey('account', NOBODY);
const OTHER_KEY = encodeStrKey('account', new Uint8Array(32).fill(1));

/**
 * The templates with what enforces each (spec: Policy gateway: nothing is claimed that a template
 * does not provide). The addresses in the examples are placeholders.
 */
export const TEMPLATES: Readonly<Record<PolicyType, PolicyTemplate>> = {
  spending_limit: {
    type: 'spending_limit',
    title: 'Spending limit',
    enforcement: { kind: 'policy-contract' },
    enforcementLabel:
      'A policy contract of its own, asked in the account’s __check_auth: a cumulative allowance in a fixed or sliding window of 24 hours, 7 days or 30 days, and on demand a most of one payment, a number of payments and a list of recipients. An owner of the account can change them.',
    description:
      'Keys that name it may spend so much of one asset in a window, to anyone or to a list. Under upto the ceiling must fit, and the unused rest comes back.',
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
      'A policy contract of its own, asked in the account’s __check_auth: it reads an attestation registry and refuses recipients that are not attested now.',
    description:
      'Keys that name it pay only contracts whose source is attested as reproducible and attributable. It caps no amount, and verified does not mean audited or safe.',
    example: { version: '1', type: 'verified_only', owners: [WALLET], registry: WALLET },
  },
  multisig: {
    type: 'multisig',
    title: 'Several signatures',
    enforcement: { kind: 'signer-limits' },
    enforcementLabel:
      'The account’s own signer limits; no policy contract. The key is limited, owners are not.',
    description:
      'A key acts on the named contracts only when all the other keys sign too, which must be keys of the account as well.',
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
      'The account’s own signer limits; no policy contract. They name contracts that may be called, not recipients of money.',
    description: 'A key calls the named contracts and no others. It caps no amount.',
    example: {
      version: '1',
      type: 'allow_list',
      owners: [WALLET],
      signer: KEY,
      contracts: [WALLET],
    },
  },
};
