import { xdr } from '@stellar/stellar-sdk';
import type { StellarAddress } from '../../src/protocol/index.ts';
import { toScAddress } from '../../src/protocol/stellar/index.ts';

/** Values in the form that contracts written with the Soroban SDK take. */
export const address = (value: StellarAddress): xdr.ScVal =>
  xdr.ScVal.scvAddress(toScAddress(value));

/** A struct: its fields ordered by name. */
export function struct(fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal {
  const names = Object.keys(fields).sort();
  return xdr.ScVal.scvMap(
    names.map(
      (name) =>
        new xdr.ScMapEntry({
          key: xdr.ScVal.scvSymbol(name),
          val: fields[name] ?? xdr.ScVal.scvVoid(),
        }),
    ),
  );
}

/** A variant of an enum with its values. */
export function variant(name: string, ...held: readonly xdr.ScVal[]): xdr.ScVal {
  return xdr.ScVal.scvVec([xdr.ScVal.scvSymbol(name), ...held]);
}

/** A map with one entry. */
export function single(key: xdr.ScVal, val: xdr.ScVal): xdr.ScVal {
  return xdr.ScVal.scvMap([new xdr.ScMapEntry({ key, val })]);
}
