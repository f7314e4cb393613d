import type { ContractAddress } from '../../../common/address.ts';
import { contractAddressOf } from '../../../common/scAddress.ts';
import { type PlainXdr, readPlain } from './plainXdr.ts';
import type { TransferEvent } from './transferEvent.ts';

/** The event of a transfer in its usual form. */
export interface PlainTransferEvent extends TransferEvent {
  readonly contract: ContractAddress;
}

/** The symbol `transfer` with its discriminant and its length. */
const TRANSFER = Buffer.concat([Buffer.from([0, 0, 0, 15, 0, 0, 0, 8]), Buffer.from('transfer')]);

/** Reads a `ContractEvent`, which is what a transaction reports, and what a `DiagnosticEvent` contains. */
function readTransfer(xdr: PlainXdr): PlainTransferEvent | undefined {
  // No extension, of a contract, an event of the first version.
  xdr.expect(0);
  xdr.expect(1);
  const contract = contractAddressOf(xdr.take(32));
  xdr.expect(1);
  xdr.expect(0);
  xdr.expect(4);
  const name = xdr.take(TRANSFER.length);
  xdr.expect(18);
  const from = xdr.address();
  xdr.expect(18);
  const to = xdr.address();
  // The asset's name, a string.
  xdr.expect(14);
  xdr.skipVariable(xdr.bytes.length);
  xdr.expect(10);
  const amount = (xdr.int64() << 64n) + xdr.uint64();
  return name.equals(TRANSFER) ? { contract, from, to, amount } : undefined;
}

/**
 * Reads the bytes of a `DiagnosticEvent` as the transfer that a Stellar asset reports; `undefined` if they have any other
 * form, which says nothing about their validity.
 */
export function plainTransferEvent(bytes: Buffer): PlainTransferEvent | undefined {
  return readPlain(bytes, (xdr) => {
    xdr.bool();
    return readTransfer(xdr);
  });
}

/** Reads the bytes of a `ContractEvent`, which an included transaction has, in the same way. */
export function plainIncludedTransfer(bytes: Buffer): PlainTransferEvent | undefined {
  return readPlain(bytes, readTransfer);
}
