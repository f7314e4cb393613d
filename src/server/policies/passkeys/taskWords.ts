import * as xdr from '@stellar/stellar-sdk/xdr';
import { assetName } from '../../../protocol/index.ts';
import type {
  GeneratedPolicy,
  PasskeyPageRequest,
  PasskeyTask,
  PolicySummary,
} from '../../../protocol/policies/index.ts';
import { readKeyLimits } from '../../../protocol/smartAccount/index.ts';
import { NAMED } from '../limitSummary.ts';

export type TaskWords = Pick<PasskeyPageRequest, 'title' | 'facts' | 'groups'>;

const PAID = 'The sponsor of this service pays the network’s fee.';
const SIGNED =
  'Your passkey signs this one call, once. It is good for some minutes and nothing else.';

function asset(contract: string): string {
  const name = assetName(contract);
  return name === contract ? contract : `${name} (${contract})`;
}

const fact = (name: string, value: string) => ({ name, value });

const capOf = ({ title }: PolicySummary) => title.replace(/^At most /, '');

/** What a new account is, for the one who makes it. */
export function wordsOfNewAccount(): TaskWords {
  return {
    title: 'Create a smart account',
    facts: [
      fact('Network', 'the embedded network on this machine'),
      fact('Owner', 'a new passkey, which stays with this browser or device'),
    ],
    groups: [
      {
        title: 'What happens',
        items: [
          'The browser makes a passkey for localhost.',
          'The account’s contract is deployed.',
          PAID,
        ],
      },
    ],
  };
}

/** What showing control for a deployment means. */
export function wordsOfDeployment({ wallet, contract, summary }: GeneratedPolicy): TaskWords {
  return {
    title: `Let the sponsor deploy a spending policy: ${summary.title}`,
    facts: [
      fact('Account', wallet),
      fact('Policy', contract?.contractId ?? ''),
      fact('Call', 'approve, on XLM: an allowance of 0 to the policy'),
    ],
    groups: [
      {
        title: 'Know this',
        items: [
          'It shows that you control the account, and is not submitted: an allowance of nothing changes nothing.',
          'The policy limits nothing before it is attached, which takes your passkey once more.',
        ],
      },
      { title: 'What happens', items: ['The sponsor of this service pays for the deployment.'] },
    ],
  };
}

/** What an attach means. */
export function wordsOfAttach(policy: GeneratedPolicy): TaskWords {
  const { wallet, contract, summary, enforcementLabel } = policy;
  const argument = (name: string) =>
    contract?.constructorArguments.find((one) => one.name === name)?.value ?? undefined;
  const [token, registry] = ['token', 'registry'].map(argument);
  return {
    title: `Attach a spending policy: ${summary.title}`,
    facts: [
      fact('Account', wallet),
      ...(contract === null ? factsOfKey(policy) : [fact('Policy', contract.contractId)]),
      ...(token === undefined ? [] : [fact('Token', asset(token))]),
      // The title has the amount in the token's own decimal places, and the window.
      ...(token === undefined ? [] : [fact('Cap', capOf(summary))]),
      ...(registry === undefined ? [] : [fact('Registry', registry)]),
      fact('Call', `add_signer, on the account`),
    ],
    groups: [
      { title: 'It prevents', items: summary.prevents },
      { title: 'It does not prevent', items: summary.doesNotPrevent },
      { title: 'Know this', items: [...summary.warnings, `Enforced by: ${enforcementLabel}`] },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}

/** Returns the terms of the signer that is actually added, not those of the request. */
function factsOfKey({ attach }: GeneratedPolicy): TaskWords['facts'] {
  const limits = readKeyLimits(xdr.ScVal.fromXdr(attach.signerXdr, 'base64'));
  if (limits === undefined) throw new TypeError('a policy without a contract limits a key');
  return [
    fact('Key', limits.key),
    ...limits.contracts.map((contract) => fact('May call', asset(contract))),
    ...limits.coSigners.map((key) => fact('Must sign too', key)),
  ];
}

/** A policy on the ledger, and its limits before and after a change. */
export interface LimitChange {
  readonly wallet: string;
  readonly policy: string;
  readonly token: string;
  readonly before: PolicySummary;
  readonly after: PolicySummary;
}

/** What new limits mean. */
export function wordsOfLimitChange(change: LimitChange): TaskWords {
  const { wallet, policy, token, before, after } = change;
  return {
    title: `Change a spending limit: ${after.title}`,
    facts: [
      fact('Account', wallet),
      fact('Policy', policy),
      fact('Token', asset(token)),
      fact('Limits now', capOf(before)),
      fact('New limits', capOf(after)),
      fact('Call', 'change_limits, on the policy'),
    ],
    groups: [
      { title: 'It prevents', items: after.prevents },
      { title: 'It does not prevent', items: after.doesNotPrevent },
      {
        title: 'Know this',
        items: [
          'The new limits replace all limits that the policy has now, and apply to every key whose grants name it.',
          'What was spent stays spent. A limit below that leaves nothing until enough of the window has passed.',
          ...after.warnings.filter((warning) => warning !== NAMED),
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}

/** What a removal means. @param known the policy as the gateway keeps it */
export function wordsOfRevoke(
  { wallet, policy }: Extract<PasskeyTask, { kind: 'revoke' }>,
  known: GeneratedPolicy | undefined,
): TaskWords {
  return {
    title: `Revoke a spending policy: ${known?.summary.title ?? 'one that this gateway does not know'}`,
    facts: [
      fact('Account', wallet),
      fact('Policy', policy),
      fact('Call', 'remove_signer, on the account'),
    ],
    groups: [
      {
        title: 'Know this',
        items: [
          'The policy no longer limits anything.',
          'Keys whose grants name it can do nothing on those contracts until it is attached again or they get other grants.',
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}

/** What a key for an agent may do. */
export function wordsOfAgent(task: Extract<PasskeyTask, { kind: 'add_agent' }>): TaskWords {
  const { wallet, agent, contracts, policies } = task;
  return {
    title: 'Let a key act under spending policies',
    facts: [
      fact('Account', wallet),
      fact('Key', agent),
      ...contracts.map((contract) => fact('May call', asset(contract))),
      ...policies.map((policy) => fact('Only if it agrees', policy)),
      fact('Call', 'add_signer, on the account'),
    ],
    groups: [
      {
        title: 'Know this',
        items: [
          'The key acts without another prompt, as far as every one of these policies agrees.',
          'It calls no other contract, and none of the account’s own functions but its own removal.',
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}

/** What a key is that signs with others only. */
export function wordsOfCoSigner({
  wallet,
  key,
}: Extract<PasskeyTask, { kind: 'add_co_signer' }>): TaskWords {
  return {
    title: 'Add a key that signs with others',
    facts: [
      fact('Account', wallet),
      fact('Key', key),
      fact('May call', 'nothing'),
      fact('Call', 'add_signer, on the account'),
    ],
    groups: [
      {
        title: 'Know this',
        items: [
          'Alone it does nothing, but remove itself from the account.',
          'Where the limits of another key name it, both sign.',
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}

/** What taking a key out means. */
export function wordsOfRemoval({
  wallet,
  key,
}: Extract<PasskeyTask, { kind: 'remove_key' }>): TaskWords {
  return {
    title: 'Take a key out of the account',
    facts: [
      fact('Account', wallet),
      fact('Key', key),
      fact('Call', 'remove_signer, on the account'),
    ],
    groups: [
      {
        title: 'Know this',
        items: [
          'The key can no longer act for this account.',
          'Keys whose limits say that it signs too can do nothing on those contracts until it is back.',
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}
