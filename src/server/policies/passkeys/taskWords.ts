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
const SIGNED = 'Your passkey signs only this call, once. The signature is valid for a few minutes.';

function asset(contract: string): string {
  const name = assetName(contract);
  return name === contract ? contract : `${name} (${contract})`;
}

const fact = (name: string, value: string) => ({ name, value });

const capOf = ({ title }: PolicySummary) => title.replace(/^At most /, '');

/** Describes a new account to its owner. */
export function wordsOfNewAccount(): TaskWords {
  return {
    title: 'Create a smart account',
    facts: [
      fact('Network', 'the embedded network on this machine'),
      fact('Owner', 'a new passkey, stored in this browser or on this device'),
    ],
    groups: [
      {
        title: 'What happens',
        items: [
          'The browser creates a passkey for localhost.',
          'The account’s contract is deployed.',
          PAID,
        ],
      },
    ],
  };
}

/** Describes a proof of control for a deployment. */
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
          'It proves that you control the account. It is not submitted, and an allowance of 0 would change nothing.',
          'The policy has no effect until it is attached, which needs your passkey again.',
        ],
      },
      { title: 'What happens', items: ['The sponsor of this service pays for the deployment.'] },
    ],
  };
}

/** Describes an attachment. */
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
    ...limits.coSigners.map((key) => fact('Must also sign', key)),
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

/** Describes new limits. */
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
          'Past spending still counts. A limit below it leaves nothing until enough of the window has passed.',
          ...after.warnings.filter((warning) => warning !== NAMED),
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}

/** Describes a removal. @param known the policy as stored by the gateway */
export function wordsOfRevoke(
  { wallet, policy }: Extract<PasskeyTask, { kind: 'revoke' }>,
  known: GeneratedPolicy | undefined,
): TaskWords {
  return {
    title: `Revoke a spending policy: ${known?.summary.title ?? 'unknown to this gateway'}`,
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
          'Keys whose grants name it cannot use those contracts until it is attached again or they get other grants.',
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}

/** Describes what an agent's key may do. */
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
          'The key acts without further prompts, within the limits of all these policies.',
          'It cannot call other contracts, nor any function of the account except to remove itself.',
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}

/** Describes a key that signs only together with others. */
export function wordsOfCoSigner({
  wallet,
  key,
}: Extract<PasskeyTask, { kind: 'add_co_signer' }>): TaskWords {
  return {
    title: 'Add a key that signs together with others',
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
          'Alone it can only remove itself from the account.',
          'If another key’s limits name it, both keys must sign.',
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}

/** Describes the removal of a key. */
export function wordsOfRemoval({
  wallet,
  key,
}: Extract<PasskeyTask, { kind: 'remove_key' }>): TaskWords {
  return {
    title: 'Remove a key from the account',
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
          'Keys whose limits require its signature cannot use those contracts until it is added again.',
        ],
      },
      { title: 'What happens', items: [SIGNED, PAID] },
    ],
  };
}
