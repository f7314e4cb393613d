import type { WalletPolicyRecord } from '../../protocol/policies/index.ts';
import type { LedgerPolicy } from './ledgerPolicy.ts';

/** Where a policy stands, for people: what the ledger shows, and what the gateway keeps. */
export type PolicyStage =
  /** On the ledger and in the account. */
  | 'attached'
  /** On the ledger, and not in the account. */
  | 'deployed'
  /** The same, after it was attached once: it can be attached again. */
  | 'revoked'
  | 'deploying'
  | 'created';

export interface ShownPolicy {
  readonly stage: PolicyStage;
  readonly contractId: string;
  /** `undefined` while it is not attached. */
  readonly ledger: LedgerPolicy | undefined;
  /** `undefined` when this gateway does not know it, or does not answer. */
  readonly record: WalletPolicyRecord | undefined;
}

/**
 * Puts together what the ledger and the gateway say. The ledger decides what is attached. One that
 * a gateway has recorded and the account does not hold was revoked.
 * @param records `undefined` when the gateway does not answer
 * @param revoked contracts that were revoked here
 */
export function shownPolicies(
  attached: readonly LedgerPolicy[],
  records: readonly WalletPolicyRecord[] | undefined,
  revoked: ReadonlySet<string>,
): readonly ShownPolicy[] {
  const of = new Map<string, WalletPolicyRecord>();
  for (const record of records ?? []) {
    if (record.policy.contract !== null) of.set(record.policy.contract.contractId, record);
  }
  const held = new Set(attached.map(({ contractId }) => contractId));
  const shown = attached.map(
    (ledger): ShownPolicy => ({
      stage: 'attached',
      contractId: ledger.contractId,
      ledger,
      record: of.get(ledger.contractId),
    }),
  );
  const others = [...of].flatMap(([contractId, record]): ShownPolicy[] => {
    const { state } = record.policy;
    if (held.has(contractId)) return [];
    const gone = state === 'recorded' || (state === 'deployed' && revoked.has(contractId));
    const stage = gone ? 'revoked' : state === 'generated' ? 'created' : state;
    return [{ stage, contractId, ledger: undefined, record }];
  });
  return [...shown, ...others];
}

/** What the gateway says of a policy, in words. @param answers whether the gateway answers */
export function gatewayWords({ stage, record }: ShownPolicy, answers: boolean): string {
  if (!answers) return 'unknown: the gateway does not answer';
  if (record === undefined) return 'not known to this gateway';
  if (stage === 'attached') {
    return record.policy.state === 'recorded'
      ? 'recorded'
      : `${record.policy.state}, attach not recorded`;
  }
  const words = {
    created: 'created, not deployed',
    deploying: 'being deployed',
    deployed: 'deployed, not attached: it limits nothing yet',
    revoked: 'deployed, revoked: it limits nothing any more',
  };
  return words[stage];
}

/**
 * What enforces it. The gateway's label counts only for a contract that runs the module which the
 * gateway deployed: a contract's own words of itself prove nothing.
 */
export function enforcementWords({ ledger, record }: ShownPolicy): string {
  if (record === undefined) {
    return 'A contract that this gateway does not know: what it enforces is not known.';
  }
  const { contract, enforcementLabel } = record.policy;
  if (ledger !== undefined && ledger.wasmHash !== contract?.wasmHash) {
    return 'The contract runs another module than the gateway deployed: what it enforces is not known.';
  }
  return enforcementLabel;
}
