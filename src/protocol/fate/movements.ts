import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../address.ts';
import { toScAddress } from '../stellar/index.ts';

/** A movement of an asset between two addresses. */
export interface Movement {
  readonly asset: ContractAddress;
  readonly from: StellarAddress;
  readonly to: StellarAddress;
}

/** A filter of Stellar RPC's `getEvents`. */
export interface EventFilter {
  readonly type: 'contract';
  readonly contractIds: readonly string[];
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
  const contractIds = [asset];
  const [payer, payee] = [party(from), party(to)];
  return [
    {
      type: 'contract',
      contractIds,
      topics: [
        [symbol('transfer'), payer, payee, '**'],
        [symbol('burn'), payer, '**'],
        [symbol('mint'), payee, '**'],
        [symbol('mint'), payer, payee, '**'],
      ],
    },
  ];
}
