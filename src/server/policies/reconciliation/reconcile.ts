import { EARLIER_MODULE_HASHES, MODULE_HASHES } from '../../../protocol/bindings/index.ts';
import type { ContractAddress } from '../../../protocol/index.ts';
import type { LedgerStanding, PolicySummary } from '../../../protocol/policies/index.ts';
import { instanceKey } from '../../../protocol/stellar/index.ts';
import type { StellarNetwork } from '../../network/index.ts';
import { attachedSigner } from '../deployment/attachedSigner.ts';
import type { PolicyRecord, PolicyRecords } from '../policyRecords.ts';
import { reaching } from '../reaching.ts';
import { moduleOf } from '../upkeep/policyLives.ts';
import { changedSummary } from './changedSummary.ts';

/** A stored policy and its state on the ledger. */
export interface Reconciled {
  readonly record: PolicyRecord;
  readonly ledger: LedgerStanding;
}

/** Modules of smart accounts, of this version and of earlier ones: hashes, hex. */
const ACCOUNTS: ReadonlySet<string> = new Set([
  MODULE_HASHES['smart-account'],
  ...EARLIER_MODULE_HASHES['smart-account'],
]);

/** Policies per call: each has four keys, and a Stellar RPC accepts 200 keys at once. */
const AT_ONCE = 50;

/**
 * Compares stored policies with the ledger, which is authoritative: wallets remove policies and are
 * upgraded without notifying the gateway, and test networks are reset. If its contract does not exist, a
 * policy becomes `generated` again; if the wallet has removed it, `deployed`. Limits of a key, which have
 * no contract, become `generated` again if the key or its limits are gone.
 */
export async function reconcile(
  kept: readonly PolicyRecord[],
  network: StellarNetwork,
  records: PolicyRecords,
  now: number,
): Promise<readonly Reconciled[]> {
  const reconciled: Reconciled[] = [];
  for (let from = 0; from < kept.length; from += AT_ONCE) {
    const batch = kept.slice(from, from + AT_ONCE);
    const { standings, summaries, sure } = await look(batch, network);
    for (const [index, record] of batch.entries()) {
      const ledger = standings[index];
      if (ledger === undefined) continue;
      const state = sure ? stateBy(record, ledger) : record.state;
      const mended = state === record.state ? record : await records.drifted(record, state, now);
      reconciled.push({ record: withSummary(mended, summaries[index]), ledger });
    }
  }
  return reconciled;
}

/** Limits that an owner has changed replace the original ones in the summary. */
function withSummary(record: PolicyRecord, summary: PolicySummary | undefined): PolicyRecord {
  return summary === undefined
    ? record
    : { ...record, artifacts: { ...record.artifacts, summary } };
}

function stateBy({ state, artifacts }: PolicyRecord, { deployed, attached }: LedgerStanding) {
  if (state !== 'deployed' && state !== 'recorded') return state;
  if (!deployed || (artifacts.contract === null && !attached)) return 'generated';
  return attached ? state : 'deployed';
}

async function look(batch: readonly PolicyRecord[], network: StellarNetwork) {
  const wanted = batch.map(({ artifacts }) => {
    const signer = attachedSigner(artifacts);
    const account = instanceKey(artifacts.wallet as ContractAddress);
    // A policy that the account itself enforces has no contract other than the account.
    const policy = artifacts.contract?.contractId as ContractAddress | undefined;
    const enforcing = policy === undefined ? account : instanceKey(policy);
    return { signer, keys: [account, enforcing, ...signer.entries] };
  });
  const found = await reaching(() => network.getLedgerEntries(wanted.flatMap(({ keys }) => keys)));
  let at = 0;
  const summaries: (PolicySummary | undefined)[] = [];
  const standings = wanted.map(({ signer, keys }, index): LedgerStanding => {
    const [account, enforcing, ...signers] = found.entries.slice(at, at + keys.length);
    at += keys.length;
    summaries.push(changedSummary(batch[index]?.artifacts.contract, enforcing));
    const module = moduleOf(account);
    const isKnown = module !== undefined && ACCOUNTS.has(Buffer.from(module).toString('hex'));
    return {
      deployed: enforcing !== undefined,
      attached: signers.some(signer.isHeld),
      account: account === undefined ? 'missing' : isKnown ? 'known' : 'other',
    };
  });
  // A server that lags behind might not have recent changes yet.
  return { standings, summaries, sure: !network.isBehind(found.latestLedger) };
}
