import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../protocol/index.ts';
import { signerEntryKeys } from '../../../protocol/smartAccount/index.ts';
import { instanceKey } from '../../../protocol/stellar/index.ts';
import type { StellarNetwork } from '../../network/index.ts';
import { moduleKey } from '../contractIds.ts';
import { reaching } from '../reaching.ts';

/** In ledgers of five seconds: the remaining lifetime at which an entry is extended, and the lifetime after that. */
const NEARLY_OVER = 17_280;
export const PROLONGED_TO = 7 * NEARLY_OVER;

/** Ledger entries that a payment under a policy needs and that have expired or expire soon. */
export interface DueLives {
  readonly archived: readonly xdr.LedgerKey[];
  readonly short: readonly xdr.LedgerKey[];
}

/**
 * Returns the module of a contract from its instance; `undefined` for the host's built-in contracts.
 */
export function moduleOf(instance: xdr.LedgerEntryData | undefined): Uint8Array | undefined {
  if (instance?.type !== 'contractData') return undefined;
  const { val } = instance.contractData;
  if (val.type !== 'scvContractInstance') return undefined;
  const { executable } = val.instance;
  return executable.type === 'contractExecutableWasm' ? executable.wasmHash.value : undefined;
}

/**
 * Reads the lifetimes of all entries that a payment under a policy needs and that the gateway knows:
 * both contracts, their modules, and the wallet's entry of the policy. Payments extend instances, but
 * not modules. Entries that do not exist are skipped.
 */
export async function dueLives(
  wallet: ContractAddress,
  policy: ContractAddress,
  network: StellarNetwork,
): Promise<DueLives> {
  const [attached] = signerEntryKeys(wallet, { kind: 'policy', policy });
  const own = [instanceKey(wallet), instanceKey(policy), attached];
  const { entries } = await reaching(() => network.getLedgerEntries(own.slice(0, 2)));
  const modules = entries.map(moduleOf).filter((hash) => hash !== undefined);
  const keys = [...own, ...modules.map(moduleKey)];
  const found = await reaching(() => network.getLedgerEntries(keys));
  const within = (least: number, most: number) =>
    keys.filter((_, index) => {
      const last = found.liveUntil[index];
      return last !== undefined && last >= least && last < most;
    });
  const { latestLedger: now } = found;
  return { archived: within(0, now), short: within(now, now + NEARLY_OVER) };
}
