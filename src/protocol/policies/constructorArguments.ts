import * as xdr from '@stellar/stellar-sdk/xdr';
import type { StellarAddress } from '../../../common/address.ts';
import { toI128, toScAddress } from '../stellar/index.ts';
import type { ConstructorArgument } from './messages.ts';

/** An argument, both in readable form and as the ledger encodes it. */
export interface EncodedArgument extends ConstructorArgument {
  readonly encoded: xdr.ScVal;
}

type Value = StellarAddress | readonly StellarAddress[] | bigint | number | boolean | null;

/**
 * Encodes the arguments of a contract's constructor, or of another function, in its order.
 * @param inputs their names and types in the contract's binding (`src/protocol/bindings`)
 */
export function constructorArguments<Name extends string>(
  inputs: readonly { readonly name: Name; readonly type: string }[],
  values: { readonly [Each in Name]: Value },
): EncodedArgument[] {
  return inputs.map(({ name, type }) => {
    const value = values[name];
    return {
      name,
      type,
      value: value === null ? null : typeof value === 'object' ? value.join(', ') : `${value}`,
      encoded: encode(type, value),
    };
  });
}

function encode(type: string, value: Value): xdr.ScVal {
  if (value === null) return xdr.ScVal.scvVoid();
  if (typeof value === 'object') {
    return xdr.ScVal.scvVec(value.map((one) => xdr.ScVal.scvAddress(toScAddress(one))));
  }
  if (typeof value === 'string') return xdr.ScVal.scvAddress(toScAddress(value));
  if (typeof value === 'boolean') return xdr.ScVal.scvBool(value);
  if (typeof value === 'number') return xdr.ScVal.scvU32(value);
  return type === 'u64' ? xdr.ScVal.scvU64(value) : toI128(value);
}
