import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../../../common/address.ts';
import { readI128 } from '../../../common/i128.ts';
import { contractAddressOf, readScAddress } from '../../../common/scAddress.ts';

/** The parts of a contract event that the checks on a payment need. */
export interface ContractEvent {
  readonly contract: ContractAddress | undefined;
  readonly topics: readonly xdr.ScVal[];
  readonly data: xdr.ScVal;
}

/** The transfer that a SEP-41 `transfer` event reports. */
export interface TransferEvent {
  readonly from: StellarAddress | undefined;
  readonly to: StellarAddress | undefined;
  readonly amount: bigint;
}

/** Reads an event as one of a contract; `undefined` for system and diagnostic ones. */
export function readEvent(event: xdr.ContractEvent): ContractEvent | undefined {
  if (event.type.name !== 'contract') return undefined;
  const { topics, data } = event.body.v0;
  return {
    contract: event.contractId === null ? undefined : contractAddressOf(event.contractId.value),
    topics,
    data,
  };
}

/** Reads a diagnostic event as a contract event; `undefined` for system and diagnostic ones. */
export function readContractEvent({ event }: xdr.DiagnosticEvent): ContractEvent | undefined {
  return readEvent(event);
}

/** Whether the event has the form of a transfer: symbol `transfer` and at least two more topics. */
export function isTransferEvent(event: ContractEvent): boolean {
  const [name] = event.topics;
  return (
    event.topics.length >= 3 && name?.type === 'scvSymbol' && name.sym.toString() === 'transfer'
  );
}

/** Reads the amount of a movement, which is the whole value or (CAP-67) in a map with the id of a muxed recipient. */
export function readEventAmount(data: xdr.ScVal): bigint | undefined {
  if (data.type !== 'scvMap') return readI128(data);
  const entry = data.map?.find(
    ({ key }) => key.type === 'scvSymbol' && key.sym.toString() === 'amount',
  );
  return entry === undefined ? undefined : readI128(entry.val);
}

/** Reads an address in a topic. */
export function readEventParty(topic: xdr.ScVal | undefined): StellarAddress | undefined {
  return topic?.type === 'scvAddress' ? readScAddress(topic.address) : undefined;
}

/** Reads a transfer event; `undefined` if its amount cannot be read (SEP-41, CAP-67). */
export function readTransferEvent(event: ContractEvent): TransferEvent | undefined {
  const amount = readEventAmount(event.data);
  if (amount === undefined) return undefined;
  return { from: readEventParty(event.topics[1]), to: readEventParty(event.topics[2]), amount };
}
