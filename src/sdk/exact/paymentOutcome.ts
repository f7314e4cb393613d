import * as xdr from '@stellar/stellar-sdk/xdr';
import type { StellarAddress } from '../../protocol/index.ts';
import { readAuthorization, toScAddress } from '../../protocol/stellar/index.ts';
import type { SentPayment } from './sentPayment.ts';
import type { SorobanRpc, TransferEvent } from './sorobanRpc.ts';

/** The outcome of a payment on the ledger. */
export type PaymentOutcome =
  | {
      readonly moneyMoved: 'yes';
      /** Hash of the transaction; empty if the RPC no longer has it. */
      readonly transaction: string;
    }
  /** The authorization has expired and was not used: it can never settle. */
  | { readonly moneyMoved: 'no' }
  /** It has not settled yet and still can, or the RPC's history does not reach back far enough. */
  | { readonly moneyMoved: 'unknown' };

const UNKNOWN: PaymentOutcome = { moneyMoved: 'unknown' };

/** Ledgers covered by one search for events; a Stellar RPC searches at most 10,000. */
const LEDGERS_A_SEARCH = 5_000;
/** Transfers between payer and recipient to examine before the search gives up. */
const MOST_TRANSFERS = 300;

/**
 * Reads a payment's outcome from the ledger. Until the authorization expires, the entry of its nonce
 * exists if and only if it was used (CAP-46-11); after that, the transfers between payer and recipient
 * show it, as far as the RPC's history reaches.
 * @throws RpcFailedError if the RPC is unreachable
 */
export async function paymentOutcome(
  payment: SentPayment,
  rpc: SorobanRpc,
  signal?: AbortSignal,
): Promise<PaymentOutcome> {
  const { entries, latestLedger } = await rpc.entries([nonceKey(payment)], signal);
  const [used] = entries;
  if (used !== undefined) {
    const ledger = used.lastModifiedLedger;
    const found = await findTransfer(payment, ledger, ledger, rpc, signal);
    return { moneyMoved: 'yes', transaction: found?.transaction ?? '' };
  }
  const { signedLedger, expirationLedger } = payment;
  if (latestLedger < expirationLedger) return UNKNOWN;
  // This is the last ledger in which it could settle: its nonce would exist.
  if (latestLedger === expirationLedger) return { moneyMoved: 'no' };
  const found = await findTransfer(payment, signedLedger, expirationLedger, rpc, signal);
  if (found === undefined) return UNKNOWN;
  const { transaction } = found;
  return transaction === undefined ? { moneyMoved: 'no' } : { moneyMoved: 'yes', transaction };
}

/** Returns the key of the ledger entry of a used nonce. */
function nonceKey({ payer, nonce }: SentPayment): string {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: toScAddress(payer as StellarAddress),
      key: xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })),
      durability: xdr.ContractDataDurability.temporary,
    }),
  ).toXdr('base64');
}

/**
 * Looks for the transaction that used the nonce, among those that moved the asset from payer to
 * recipient. `undefined`: the history does not cover these ledgers, or contains too many transfers.
 */
async function findTransfer(
  payment: SentPayment,
  from: number,
  to: number,
  rpc: SorobanRpc,
  signal: AbortSignal | undefined,
): Promise<{ readonly transaction: string | undefined } | undefined> {
  let left = MOST_TRANSFERS;
  for (let start = from; start <= to; start += LEDGERS_A_SEARCH) {
    const end = Math.min(start + LEDGERS_A_SEARCH - 1, to);
    const events = await rpc.transfers(
      { asset: payment.asset, from: payment.payer, to: payment.payTo },
      { start, end, limit: left },
      signal,
    );
    if (events === undefined || events.length >= left) return undefined;
    left -= events.length;
    for (const event of events) {
      const uses = await usesNonce(event, payment, rpc, signal);
      if (uses === undefined) return undefined;
      if (uses) return { transaction: event.transaction };
    }
  }
  return { transaction: undefined };
}

async function usesNonce(
  { transaction }: TransferEvent,
  { payer, nonce }: SentPayment,
  rpc: SorobanRpc,
  signal: AbortSignal | undefined,
): Promise<boolean | undefined> {
  const text = await rpc.envelope(transaction, signal);
  if (text === undefined) return undefined;
  return authorizationsOf(text)
    .map(readAuthorization)
    .some((entry) => entry?.nonce === nonce && entry.address === payer);
}

function authorizationsOf(text: string): readonly xdr.SorobanAuthorizationEntry[] {
  const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
  const inner = envelope.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump.tx.innerTx : envelope;
  const operations = 'v1' in inner ? inner.v1.tx.operations : [];
  return operations.flatMap(({ body }) =>
    body.type === 'invokeHostFunction' ? body.invokeHostFunctionOp.auth : [],
  );
}
