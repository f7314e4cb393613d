import type * as xdr from '@stellar/stellar-sdk/xdr';
import { EARLIER_MODULE_HASHES, MODULE_HASHES } from '../../../protocol/bindings/index.ts';
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

/** The modules that the sponsor keeps alive, of this version and of earlier ones: hashes, hex. */
const ACCOUNTS: ReadonlySet<string> = new Set([
  MODULE_HASHES['smart-account'],
  ...EARLIER_MODULE_HASHES['smart-account'],
]);
const POLICIES: ReadonlySet<string> = new Set([
  MODULE_HASHES['spending-limit'],
  ...EARLIER_MODULE_HASHES['spending-limit'],
  MODULE_HASHES['verified-only'],
  ...EARLIER_MODULE_HASHES['verified-only'],
]);

/** Returns the module of a contract if it is one of these. */
function knownModule(
  instance: xdr.LedgerEntryData | undefined,
  known: ReadonlySet<string>,
): Uint8Array | undefined {
  const module = moduleOf(instance);
  return module !== undefined && known.has(Buffer.from(module).toString('hex'))
    ? module
    : undefined;
}

/**
 * Reads the lifetimes of all entries that a payment under a policy needs and that the gateway knows:
 * both contracts, their modules, and the wallet's entry of the policy. Payments extend instances, but
 * not modules. Entries that do not exist are skipped, and so is all that belongs to a wallet with another module than this
 * project's smart account: its module and entries can have any size, and their rent is the sponsor's.
 */
export async function dueLives(
  wallet: ContractAddress,
  policy: ContractAddress,
  network: StellarNetwork,
): Promise<DueLives> {
  const [attached] = signerEntryKeys(wallet, { kind: 'policy', policy });
  const instances = [instanceKey(wallet), instanceKey(policy)] as const;
  const { entries } = await reaching(() => network.getLedgerEntries(instances));
  const account = knownModule(entries[0], ACCOUNTS);
  const limits = knownModule(entries[1], POLICIES);
  const keys = [
    ...(account === undefined ? [] : [instances[0], attached, moduleKey(account)]),
    ...(limits === undefined ? [] : [instances[1], moduleKey(limits)]),
  ];
  if (keys.length === 0) return { archived: [], short: [] };
  const found = await reaching(() => network.getLedgerEntries(keys));
  const within = (least: number, most: number) =>
    keys.filter((_, index) => {
      const last = found.liveUntil[index];
      return last !== undefined && last >= least && last < most;
    });
  const { latestLedger: now } = found;
  return { archived: within(0, now), short: within(now, now + NEARLY_OVER) };
}
