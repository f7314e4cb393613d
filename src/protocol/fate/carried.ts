import * as xdr from '@stellar/stellar-sdk/xdr';
import type { StellarAddress } from '../../../common/address.ts';
import { readAuthorization, readTransferCall } from '../stellar/index.ts';
import type { SignedTransfer } from './movements.ts';

/** An authorization by address credentials in an envelope. */
export interface Carried {
  readonly entry: xdr.SorobanAuthorizationEntry;
  /** `undefined` if the signer is neither an account nor a contract. */
  readonly address: StellarAddress | undefined;
  readonly nonce: bigint;
  readonly expirationLedger: number;
  readonly signed: boolean;
  /** The transfer that it authorizes; `undefined` for any other call. */
  readonly transfer: SignedTransfer | undefined;
}

function transferOf({
  nonce,
  expirationLedger,
  invocation,
}: NonNullable<ReturnType<typeof readAuthorization>>): SignedTransfer | undefined {
  if (invocation.function.type !== 'sorobanAuthorizedFunctionTypeContractFn') return undefined;
  const call = readTransferCall(invocation.function.contractFn);
  if (call?.to === undefined) return undefined;
  return { ...call, to: call.to, nonce, expirationLedger };
}

/**
 * Returns the authorizations by address credentials that an envelope carries, whatever else is in it: a payment as a buyer
 * sends it, or a transaction of a ledger. Empty if it is unreadable.
 *
 * @param envelope base64 XDR
 */
export function carriedBy(envelope: string): readonly Carried[] {
  let read: xdr.TransactionEnvelope;
  try {
    read = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  } catch {
    return [];
  }
  const inner = read.type === 'envelopeTypeTxFeeBump' ? read.feeBump.tx.innerTx : read;
  const operations = 'v1' in inner ? inner.v1.tx.operations : [];
  return operations
    .flatMap(({ body }) =>
      body.type === 'invokeHostFunction' ? body.invokeHostFunctionOp.auth : [],
    )
    .flatMap((entry) => {
      const authorization = readAuthorization(entry);
      if (authorization === undefined) return [];
      const { address, nonce, expirationLedger, signed } = authorization;
      const transfer = transferOf(authorization);
      return [{ entry, address, nonce, expirationLedger, signed, transfer }];
    });
}

/** Whether two signed transfers move the same amount of the same asset between the same addresses. */
export function isSameTransfer(
  one: Pick<SignedTransfer, 'asset' | 'from' | 'to' | 'amount'>,
  other: Pick<SignedTransfer, 'asset' | 'from' | 'to' | 'amount'>,
): boolean {
  return (
    one.asset === other.asset &&
    one.from === other.from &&
    one.to === other.to &&
    one.amount === other.amount
  );
}
