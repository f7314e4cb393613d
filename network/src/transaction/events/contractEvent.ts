import { xdr } from '@stellar/stellar-sdk';

const NO_EXTENSION = xdr.ExtensionPoint.v0();

/** A contract event, as the contract with this id would publish it. */
export function contractEvent(
  contractId: xdr.ContractId,
  topics: xdr.ScVal[],
  data: xdr.ScVal,
): xdr.ContractEvent {
  return new xdr.ContractEvent({
    ext: NO_EXTENSION,
    contractId,
    type: xdr.ContractEventType.contract,
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data })),
  });
}
