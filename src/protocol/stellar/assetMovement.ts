import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../../../common/address.ts';
import { plainIncludedTransfer } from './plainTransferEvent.ts';
import { readEvent, readEventAmount, readEventParty } from './transferEvent.ts';

/** A movement that a token reports in an included transaction. */
export interface AssetMovement {
  readonly asset: ContractAddress;
  /** `undefined` for a `mint`: what the issuer pays. */
  readonly from: StellarAddress | undefined;
  /** `undefined` for a `burn`: what the issuer is paid. */
  readonly to: StellarAddress | undefined;
  /** Atomic units. */
  readonly amount: bigint;
}

/** Returns the parties of a movement; `undefined` for events of any other name. */
function partiesOf(topics: readonly xdr.ScVal[]): Pick<AssetMovement, 'from' | 'to'> | undefined {
  const [name, first, second] = topics;
  if (name?.type !== 'scvSymbol') return undefined;
  const one = readEventParty(first);
  const other = readEventParty(second);
  switch (name.sym.toString()) {
    case 'transfer':
      return one === undefined || other === undefined ? undefined : { from: one, to: other };
    case 'burn':
      return one === undefined ? undefined : { from: one, to: undefined };
    case 'mint': {
      // Before CAP-67, it also named its administrator, first.
      const to = other ?? one;
      return to === undefined ? undefined : { from: undefined, to };
    }
    default:
      return undefined;
  }
}

/**
 * Reads the bytes of a `ContractEvent` as a movement (SEP-41, CAP-67); `undefined` if it is none.
 *
 * @throws if the bytes are malformed
 */
export function readAssetMovement(bytes: Buffer): AssetMovement | undefined {
  // The usual event. Decoding one takes many times as long.
  const plain = plainIncludedTransfer(bytes);
  if (plain !== undefined) {
    const { contract: asset, from, to, amount } = plain;
    return { asset, from, to, amount };
  }
  return assetMovementOf(xdr.ContractEvent.fromXdr(bytes));
}

/** Reads an event as a movement; `undefined` if it is none. */
export function assetMovementOf(decoded: xdr.ContractEvent): AssetMovement | undefined {
  const event = readEvent(decoded);
  if (event?.contract === undefined) return undefined;
  const parties = partiesOf(event.topics);
  const amount = readEventAmount(event.data);
  return parties && amount !== undefined
    ? { asset: event.contract, ...parties, amount }
    : undefined;
}

/** The payment that is looked for in the movements of its transaction. */
export interface PaymentParties {
  readonly asset: ContractAddress;
  readonly payer: StellarAddress;
  readonly payTo: StellarAddress;
}

/**
 * Returns how much of an asset the movements of a payer's transaction bring to the recipient. A Stellar asset's movements are the
 * ledger's; any other token reports what it likes.
 *
 * @returns atomic units; 0 if none does
 *
 * @example
 * ```ts
 * const isPaid = arrivedIn(movements, { asset, payer, payTo }) >= amount;
 * ```
 */
export function arrivedIn(
  movements: readonly AssetMovement[],
  { asset, payer, payTo }: PaymentParties,
): bigint {
  return movements
    .filter((one) => one.asset === asset)
    .filter(({ from = payer, to = payTo }) => from === payer && to === payTo)
    .reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), 0n);
}
