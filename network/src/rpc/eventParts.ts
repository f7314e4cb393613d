import { xdr } from '@stellar/stellar-sdk';
import { XdrCursor } from '../xdr/index.ts';

/** The XDR of an event, cut into the parts that clients request. */
export interface EventParts {
  readonly type: xdr.ContractEventType['name'];
  /** Hash of the contract; undefined for the network's own events. */
  readonly contract: Uint8Array | undefined;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** Size of the XDR in bytes. */
  readonly size: number;
}

/** Cuts a `ContractEvent`. */
export function eventParts(event: Uint8Array): EventParts {
  return read(new XdrCursor(event), event.length);
}

/** Cuts a `TransactionEvent`, which includes its stage. */
export function transactionEventParts(event: Uint8Array): {
  readonly stage: xdr.TransactionEventStage['name'];
  readonly event: EventParts;
} {
  const cursor = new XdrCursor(event);
  const stage = xdr.TransactionEventStage.fromXdrObject(cursor.uint32()).name;
  return { stage, event: read(cursor, event.length) };
}

function read(cursor: XdrCursor, size: number): EventParts {
  cursor.skip(xdr.ExtensionPoint);
  const contract = cursor.uint32() === 1 ? cursor.take(xdr.ContractId) : undefined;
  const type = xdr.ContractEventType.fromXdrObject(cursor.uint32()).name;
  // Skips the version of the body; there is only one.
  cursor.uint32();
  const topics = cursor.takeList(xdr.ScVal);
  return { type, contract, topics, data: cursor.take(xdr.ScVal), size };
}
