import { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../../xdr/index.ts';
import { addressText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import { base64Text } from '../format/hex.ts';
import type { AssetEvent } from '../history/assetEvent.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';

const FUNCTIONS: Record<xdr.HostFunction['type'], string> = {
  hostFunctionTypeInvokeContract: 'HostFunctionTypeHostFunctionTypeInvokeContract',
  hostFunctionTypeCreateContract: 'HostFunctionTypeHostFunctionTypeCreateContract',
  hostFunctionTypeUploadContractWasm: 'HostFunctionTypeHostFunctionTypeUploadContractWasm',
  hostFunctionTypeCreateContractV2: 'HostFunctionTypeHostFunctionTypeCreateContractV2',
};

/** Horizon's names for the types of contract values; types without a value have no name. */
const VALUE_TYPES: Record<xdr.ScVal['type'], string> = {
  scvBool: 'B',
  scvVoid: '',
  scvError: 'Error',
  scvU32: 'U32',
  scvI32: 'I32',
  scvU64: 'U64',
  scvI64: 'I64',
  scvTimepoint: 'Timepoint',
  scvDuration: 'Duration',
  scvU128: 'U128',
  scvI128: 'I128',
  scvU256: 'U256',
  scvI256: 'I256',
  scvBytes: 'Bytes',
  scvString: 'Str',
  scvSymbol: 'Sym',
  scvVec: 'Vec',
  scvMap: 'Map',
  scvAddress: 'Address',
  scvContractInstance: 'Instance',
  scvLedgerKeyContractInstance: '',
  scvLedgerKeyNonce: 'NonceKey',
  scvExecutableTag: 'ExecutableTag',
};

export function invokeHostFunctionDetails(
  { hostFunction }: xdr.InvokeHostFunctionOp,
  operation: HistoryOperation,
) {
  const common = {
    function: FUNCTIONS[hostFunction.type],
    parameters: null,
    address: '',
    salt: '',
    asset_balance_changes: null,
  };
  switch (hostFunction.type) {
    case 'hostFunctionTypeInvokeContract': {
      const { contractAddress, functionName, args } = hostFunction.invokeContract;
      const called = [xdr.ScVal.scvAddress(contractAddress), xdr.ScVal.scvSymbol(functionName)];
      return {
        ...common,
        parameters: [...called, ...args].map(parameterText),
        asset_balance_changes: balanceChanges(operation),
      };
    }
    case 'hostFunctionTypeCreateContract':
      return { ...common, ...preimageFields(hostFunction.createContract.contractIdPreimage) };
    case 'hostFunctionTypeCreateContractV2': {
      const { contractIdPreimage, constructorArgs } = hostFunction.createContractV2;
      return {
        ...common,
        ...preimageFields(contractIdPreimage),
        parameters: constructorArgs.map(parameterText),
        asset_balance_changes: balanceChanges(operation),
      };
    }
    case 'hostFunctionTypeUploadContractWasm':
      return common;
  }
}

function parameterText(value: xdr.ScVal) {
  return { value: base64Text(encodeXdr(value)), type: VALUE_TYPES[value.type] };
}

function preimageFields(preimage: xdr.ContractIdPreimage) {
  if (preimage.type === 'contractIdPreimageFromAsset') return {};
  const { address, salt } = preimage.fromAddress;
  return {
    address: addressText(address),
    salt: String(BigInt(`0x${Buffer.from(salt.value).toString('hex')}`)),
  };
}

function balanceChanges({ assetEvents }: HistoryOperation) {
  return assetEvents.length === 0 ? null : assetEvents.map(balanceChange);
}

function balanceChange({ type, asset, from, to, amount, toId }: AssetEvent) {
  return {
    ...assetFields(asset),
    type,
    from: from && addressText(from),
    to: to && addressText(to),
    amount: amountText(amount),
    destination_muxed_id: toId === undefined ? undefined : String(toId),
  };
}
