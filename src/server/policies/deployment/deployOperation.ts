import * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress } from '../../../protocol/index.ts';
import type { PolicyContract } from '../../../protocol/policies/index.ts';
import { policyPreimage } from '../contractIds.ts';

function invoke(hostFunction: xdr.HostFunction, auth: xdr.SorobanAuthorizationEntry[] = []) {
  return new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({ hostFunction, auth }),
    ),
  });
}

/** Returns the operation that uploads a module to the ledger. */
export function uploadOperation(wasm: Uint8Array): xdr.Operation {
  return invoke(xdr.HostFunction.hostFunctionTypeUploadContractWasm(wasm));
}

/** Returns the operation that creates a policy's contract, with the paying account as its deployer. */
export function deployOperation(
  deployer: AccountAddress,
  id: string,
  { wasmHash, constructorArgumentsXdr }: PolicyContract,
): xdr.Operation {
  return creationOperation(
    policyPreimage(deployer, id),
    Buffer.from(wasmHash, 'hex'),
    constructorArgumentsXdr.map((text) => xdr.ScVal.fromXdr(text, 'base64')),
  );
}

/** Returns the operation that creates a contract, with the paying account as its deployer. */
export function creationOperation(
  contractIdPreimage: xdr.ContractIdPreimage,
  wasmHash: Uint8Array,
  constructorArgs: xdr.ScVal[],
): xdr.Operation {
  const creation = new xdr.CreateContractArgsV2({
    contractIdPreimage,
    executable: xdr.ContractExecutable.contractExecutableWasm(wasmHash),
    constructorArgs,
  });
  const authorized = new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: new xdr.SorobanAuthorizedInvocation({
      function:
        xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(creation),
      subInvocations: [],
    }),
  });
  return invoke(xdr.HostFunction.hostFunctionTypeCreateContractV2(creation), [authorized]);
}
