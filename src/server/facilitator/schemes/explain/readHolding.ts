import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../../../../protocol/index.ts';
import { readI128, toScAddress } from '../../../../protocol/stellar/index.ts';
import type { StellarNetwork } from '../../../network/index.ts';
import { invocationOperation, unsignedEnvelope } from '../checks/invocationEnvelope.ts';
import { balanceIn, balanceKey } from './balance.ts';
import { readAssetOf, type StellarAsset } from './stellarAsset.ts';

/** An address's spendable amount of an asset at a ledger. */
export interface Holding {
  /** Atomic units; `undefined` if it cannot be read. */
  readonly held: bigint | undefined;
  readonly ledger: number;
}

/** Represents an unlimited amount: an issuer's amount of its own asset. */
const WITHOUT_END = 2n ** 127n - 1n;
/** Base reserve, 0.5 XLM in stroops: one for each entry of an account, and two for the account itself. */
const BASE_RESERVE = 5_000_000n;

function reservedForOffers(ext: xdr.AccountEntryExt | xdr.TrustLineEntryExt): bigint {
  return ext.type === 'v1' ? ext.v1.liabilities.selling : 0n;
}

/** Returns the spendable part of a balance, excluding amounts in offers and the account's reserve. */
function spendableIn(entry: xdr.LedgerEntryData | undefined): bigint | undefined {
  const held = balanceIn(entry);
  if (held === undefined) return undefined;
  if (entry?.type === 'trustline') {
    return held - reservedForOffers(entry.trustLine.ext);
  }
  if (entry?.type !== 'account') return held;
  const { ext, numSubEntries } = entry.account;
  return held - reservedForOffers(ext) - (2n + BigInt(numSubEntries)) * BASE_RESERVE;
}

/** Reads a balance from a token that is not a Stellar asset (SEP-41). */
async function askToken(
  token: ContractAddress,
  holder: StellarAddress,
  network: StellarNetwork,
): Promise<Holding> {
  const invocation = new xdr.InvokeContractArgs({
    contractAddress: toScAddress(token),
    functionName: 'balance',
    args: [xdr.ScVal.scvAddress(toScAddress(holder))],
  });
  const operation = invocationOperation(invocation, []);
  const simulation = await network.simulate(unsignedEnvelope(operation, undefined));
  const { latestLedger: ledger } = simulation;
  if (simulation.status !== 'success' || simulation.returned === undefined) {
    return { held: undefined, ledger };
  }
  return { held: readI128(xdr.ScVal.fromXdr(simulation.returned, 'base64')), ledger };
}

/** Reads an address's spendable amount of an asset. Rejects with RpcError. */
export async function readHolding(
  holder: StellarAddress,
  asset: ContractAddress,
  network: StellarNetwork,
): Promise<Holding> {
  const stellarAsset: StellarAsset | undefined = await readAssetOf(asset, network);
  if (stellarAsset === undefined) return askToken(asset, holder, network);
  const key = balanceKey(holder, asset, stellarAsset);
  const { entries, latestLedger: ledger } = await network.getLedgerEntries([key]);
  const held = stellarAsset.isIssuer(holder) ? WITHOUT_END : spendableIn(entries[0]);
  return { held, ledger };
}
