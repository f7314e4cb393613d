import type { xdr } from '@stellar/stellar-sdk';
import type { ContractBook } from './contractBook.ts';
import { callName } from './contractName.ts';
import { namedValue } from './namedValue.ts';
import { addressText, hexText, TextRoom } from './valueText.ts';

/** Maximum total length of a call's arguments in characters. */
const MOST_TEXT = 600;

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
    const room = new TextRoom(MOST_TEXT);
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
