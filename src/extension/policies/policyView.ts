import type { ReconciledPolicyRecord } from '../../protocol/policies/index.ts';
import { t } from '../words/index.ts';
import type { KeyPolicy } from './keyPolicy.ts';
import type { LedgerPolicy } from './ledgerPolicy.ts';

/** The stage of a policy as shown to users, from the ledger and the gateway's records. */
export type PolicyStage =
  /** On the ledger and in the account. */
  | 'attached'
  /** On the ledger but not in the account. */
  | 'deployed'
  /** The same, but attached before: it can be attached again. */
  | 'revoked'
  | 'deploying'
  | 'created';

export interface ShownPolicy {
  readonly stage: PolicyStage;
  /** The contract's address, or the gateway's id for limits of a key, which have none. */
  readonly id: string;
  readonly contractId: string | undefined;
  /** `undefined` while it is not attached, and for limits of a key. */
  readonly ledger: LedgerPolicy | undefined;
  /** For limits of a key, which the account itself enforces. */
  readonly limits: KeyPolicy | undefined;
  /** `undefined` if this gateway does not know it or does not respond. */
  readonly record: ReconciledPolicyRecord | undefined;
}

/**
 * Combines what the ledger and the gateway report. The ledger decides what is attached. A policy that the gateway has recorded
 * but the account does not hold was revoked.
 * @param records `undefined` if the gateway does not respond
 * @param revoked contracts, and ids of limits, that were revoked here
 * @param limits the gateway's records of key limits, by id
 */
export function shownPolicies(
  attached: readonly LedgerPolicy[],
  records: readonly ReconciledPolicyRecord[] | undefined,
  revoked: ReadonlySet<string>,
  limits: ReadonlyMap<string, KeyPolicy>,
): readonly ShownPolicy[] {
  const of = new Map<string, ReconciledPolicyRecord>();
  for (const record of records ?? []) {
    if (record.policy.contract !== null) of.set(record.policy.contract.contractId, record);
  }
  const held = new Set(attached.map(({ contractId }) => contractId));
  const shown = attached.map(
    (ledger): ShownPolicy => ({
      stage: 'attached',
      id: ledger.contractId,
      contractId: ledger.contractId,
      ledger,
      limits: undefined,
      record: of.get(ledger.contractId),
    }),
  );
  const others = [...of].flatMap(([contractId, record]): ShownPolicy[] => {
    const { state } = record.policy;
    if (held.has(contractId)) return [];
    const gone = state === 'recorded' || (state === 'deployed' && revoked.has(contractId));
    const stage = gone ? 'revoked' : state === 'generated' ? 'created' : state;
    return [{ stage, id: contractId, contractId, ledger: undefined, limits: undefined, record }];
  });
  const keys = (records ?? []).flatMap((record): ShownPolicy[] => {
    const { id, state } = record.policy;
    const ofKey = limits.get(id);
    if (ofKey === undefined) return [];
    const gone = state === 'recorded' || revoked.has(id);
    const stage = ofKey.held === 'yes' ? 'attached' : gone ? 'revoked' : 'created';
    return [{ stage, id, contractId: undefined, ledger: undefined, limits: ofKey, record }];
  });
  return [...shown, ...keys, ...others];
}

/** Describes what the gateway reports about a policy. @param answers whether the gateway responds */
export function gatewayWords({ stage, record, limits }: ShownPolicy, answers: boolean): string {
  if (!answers) return t("unknown: the gateway isn't responding");
  if (record === undefined) return t('not known to this gateway');
  if (stage === 'attached') {
    return record.policy.state === 'recorded'
      ? t('recorded')
      : t('{0}, attach not recorded', t(record.policy.state));
  }
  if (limits !== undefined) {
    return limits.held === 'other'
      ? t('not attached: the account holds the key with other limits')
      : t('created, not attached: the key can do nothing yet');
  }
  const words = {
    created: t('created, not deployed'),
    deploying: t('being deployed'),
    deployed: t('deployed, not attached: it limits nothing yet'),
    revoked: t('deployed, revoked: it no longer limits anything'),
  };
  return words[stage];
}

/**
 * Describes what enforces a policy. The gateway's label counts only for a contract that runs the module that the gateway
 * deployed: a contract's description of itself proves nothing.
 */
export function enforcementWords({ ledger, record }: ShownPolicy): string {
  if (record === undefined) {
    return t("This gateway doesn't know the contract, so what it enforces is unknown.");
  }
  const { contract, enforcementLabel } = record.policy;
  if (contract === null && record.ledger?.account !== 'known') {
    return t(
      "The account runs a module that this gateway doesn't know, so what it enforces is unknown.",
    );
  }
  if (ledger !== undefined && ledger.wasmHash !== contract?.wasmHash) {
    return t(
      "The contract doesn't run the module that the gateway deployed, so what it enforces is unknown.",
    );
  }
  return enforcementLabel;
}
