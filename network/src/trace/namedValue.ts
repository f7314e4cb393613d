import type { xdr } from '@stellar/stellar-sdk';
import { formatDecimalAmount } from '../../../common/amount.ts';
import { readI128 } from '../../../common/i128.ts';
import type { KnownContract } from './contractBook.ts';
import type { FunctionInput } from './contractInterface.ts';
import { functionName } from './contractName.ts';
import type { TracedValue } from './trace.ts';
import { typeText } from './typeText.ts';
import { type TextRoom, valueText } from './valueText.ts';

/** The name of inputs, results and event data given in the asset's atomic units. */
export const AMOUNT = 'amount';

/** A value with its name and type from a contract's interface. */
export function namedValue(
  value: xdr.ScVal,
  input: FunctionInput | undefined,
  of: KnownContract,
  room: TextRoom,
): TracedValue {
  return {
    name: functionName(input?.name ?? ''),
    type: input === undefined ? '' : typeText(input.type),
    value: valueText(value, room, input?.type, of.interface.types),
    ...(input?.name === AMOUNT ? amountOf(value, of) : {}),
  };
}

/** An amount in units of a contract's asset; empty for other contracts and values. */
export function amountOf(value: xdr.ScVal, { asset }: KnownContract): { amount?: string } {
  const units = asset === null ? undefined : readI128(value);
  return units === undefined ? {} : { amount: `${formatDecimalAmount(units)} ${asset}` };
}
