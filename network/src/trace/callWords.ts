import type { xdr } from '@stellar/stellar-sdk';
import { formatDecimalAmount } from '../../../common/amount.ts';
import { readI128 } from '../../../common/i128.ts';
import { visibleText } from '../../../common/visibleText.ts';
import type { ContractBook, KnownContract } from './contractBook.ts';
import type { FunctionInput } from './contractInterface.ts';
import type { TracedValue } from './trace.ts';
import { typeText } from './typeText.ts';
import { addressText, hexText, TextRoom, valueText } from './valueText.ts';

/** Maximum total length of a call's arguments in characters. */
const MAX_TEXT = 600;

/** Describes the contract call of an operation: `calls USDC C….transfer(from: …)`. Undefined for classic operations. */
export function callWords({ body }: xdr.Operation, book: ContractBook): string | undefined {
  switch (body.type) {
    case 'invokeHostFunction':
      return functionWords(body.invokeHostFunctionOp.hostFunction, book);
    case 'extendFootprintTtl':
      return `extends the TTL of entries to ${body.extendFootprintTtlOp.extendTo} ledgers`;
    case 'restoreFootprint':
      return 'restores archived entries';
    default:
      return undefined;
  }
}

function functionWords(asked: xdr.HostFunction, book: ContractBook): string {
  if (asked.type === 'hostFunctionTypeInvokeContract') {
    const { contractAddress, functionName, args } = asked.invokeContract;
    const contract = book(addressText(contractAddress));
    const inputs = contract.interface.functions.get(functionName.toString());
    const room = new TextRoom(MAX_TEXT);
    const given = args.map((value, at) => {
      const { name, value: text, amount } = namedValue(value, inputs?.[at], contract, room);
      return `${name === '' ? '' : `${name}: `}${amount ?? text}`;
    });
    return `calls ${callName(contract, functionName.toString())}(${given.join(', ')})`;
  }
  if (asked.type === 'hostFunctionTypeUploadContractWasm') {
    return `uploads ${asked.wasm.length} bytes of code`;
  }
  const { executable } =
    asked.type === 'hostFunctionTypeCreateContract' ? asked.createContract : asked.createContractV2;
  return executable.type === 'contractExecutableWasm'
    ? `creates a contract with the code ${hexText(executable.wasmHash.value)}`
    : 'creates an asset contract';
}

/** Maximum number of characters shown of a function's name. */
const MAX_NAME = 64;

/** The name of a call in a sentence: `USDC.transfer`, `spending limit CDCZ….policy__`. */
export function callName(contract: Pick<KnownContract, 'id' | 'name'>, name: string): string {
  return `${contract.name === null ? contract.id : `${contract.name} ${contract.id}`}.${functionName(name)}`;
}

/** Returns the visible text of a name. Contract authors can name functions, types and inputs as they like. */
export function functionName(name: string): string {
  return visibleText(name.slice(0, MAX_NAME));
}

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
