import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../../../common/address.ts';
import { toScAddress } from '../stellar/index.ts';

/** A movement of an asset between two addresses; `undefined` asset and recipient stand for any. */
export interface Movement {
  readonly asset: ContractAddress | undefined;
  readonly from: StellarAddress;
  readonly to: StellarAddress | undefined;
}

/** A signed `transfer` whose fate is asked for. Its terms are those that the payer signed, whatever a seller requires. */
export interface SignedTransfer extends Movement {
  readonly asset: ContractAddress;
  readonly to: StellarAddress;
  readonly nonce: bigint;
  /** Atomic units. */
  readonly amount: bigint;
  /** Last ledger in which the authorization is valid. */
  readonly expirationLedger: number;
  /**
   * A ledger before which it cannot have paid, for example the latest one when it was signed. Default: the first one in which
   * the ledger accepts such an expiration, which is months before.
   */
  readonly firstLedger?: number | undefined;
}

/** A filter of Stellar RPC's `getEvents`. */
export interface EventFilter {
  readonly type: 'contract';
  readonly contractIds?: readonly string[];
  readonly topics: readonly (readonly string[])[];
}

function symbol(name: string): string {
  return xdr.ScVal.scvSymbol(name).toXdr('base64');
}

function party(address: StellarAddress): string {
  return xdr.ScVal.scvAddress(toScAddress(address)).toXdr('base64');
}

/**
 * Returns the filters for every event that a movement may emit: `transfer` in general, `burn` where the recipient issues the
 * asset, and `mint` where the payer does (SEP-41, CAP-67; before CAP-67, `mint` also named its administrator). A match is only a
 * candidate, since other transactions emit the same events.
 */
export function movementFilters({ asset, from, to }: Movement): readonly EventFilter[] {
  const payer = party(from);
  const payee = to === undefined ? '*' : party(to);
  return [
    {
      type: 'contract',
      ...(asset === undefined ? {} : { contractIds: [asset] }),
      topics: [
        [symbol('transfer'), payer, payee, '**'],
        [symbol('burn'), payer, '**'],
        [symbol('mint'), payee, '**'],
        [symbol('mint'), payer, payee, '**'],
      ],
    },
  ];
}
