import type { ContractAddress } from '../../../protocol/index.ts';
import type { LedgerStanding } from '../../../protocol/policies/index.ts';
import type { StellarNetwork } from '../../network/index.ts';
import { instanceKey, policySignerKeys } from '../contractIds.ts';
import { reaching } from '../deployment/sponsorTransaction.ts';
import { accountModule } from '../policyModules.ts';
import type { PolicyRecord, PolicyRecords } from '../policyRecords.ts';
import { moduleOf } from '../upkeep/policyLives.ts';

/** A policy as it is kept, and as the ledger has it. */
export interface Reconciled {
  readonly record: PolicyRecord;
  /** null: the account itself enforces it, and nothing of it is the gateway's to know. */
  readonly ledger: LedgerStanding | null;
}

/** Four keys a policy, of which a Stellar RPC answers 200 at once. */
const AT_ONCE = 50;

/**
 * Holds what is kept of policies against the ledger, which is right: wallets let policies go and are
 * upgraded without telling the gateway, and test networks begin anew. A contract that is not there
 * makes a policy `generated` again, one that the wallet has let go `deployed`.
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
    const { standings, sure } = await look(batch, network);
    for (const [index, record] of batch.entries()) {
      const ledger = standings[index] ?? null;
      const state = ledger === null || !sure ? record.state : stateBy(record, ledger);
      const mended = state === record.state ? record : await records.drifted(record, state, now);
      reconciled.push({ record: mended, ledger });
    }
  }
  return reconciled;
}

function stateBy({ state }: PolicyRecord, { deployed, attached }: LedgerStanding) {
  if (state !== 'deployed' && state !== 'recorded') return state;
  if (!deployed) return 'generated';
  return attached ? state : 'deployed';
}

async function look(batch: readonly PolicyRecord[], network: StellarNetwork) {
  const keys = batch.map(({ artifacts: { wallet, contract } }) => {
    if (contract === null) return [];
    const account = wallet as ContractAddress;
    const policy = contract.contractId as ContractAddress;
    return [instanceKey(account), instanceKey(policy), ...policySignerKeys(account, policy)];
  });
  const found = await reaching(() => network.getLedgerEntries(keys.flat()));
  const known = Buffer.from(accountModule().hash);
  let at = 0;
  const standings = keys.map(({ length }): LedgerStanding | null => {
    if (length === 0) return null;
    const [account, instance, ...signers] = found.entries.slice(at, at + length);
    at += length;
    const module = moduleOf(account);
    const isKnown = module !== undefined && known.equals(module);
    return {
      deployed: instance !== undefined,
      attached: signers.some((signer) => signer !== undefined),
      account: account === undefined ? 'missing' : isKnown ? 'known' : 'other',
    };
  });
  // A server that is behind may not have what was recorded a moment ago.
  return { standings, sure: !network.isBehind(found.latestLedger) };
}
