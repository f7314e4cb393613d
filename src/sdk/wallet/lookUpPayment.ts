import {
  connectRpc,
  fetchTransport,
  type PaymentOutcome,
  paymentOutcome,
  type SentPayment,
} from '../exact/index.ts';

/**
 * Reads a payment's outcome from the ledger, such as that of `error.payment` if `moneyMoved` is `unknown`.
 * From its `expirationLedger` on, the result is `yes` or `no`, as far as the RPC's history reaches.
 * @throws RpcFailedError if the RPC is unreachable
 */
export function lookUpPayment(
  payment: SentPayment,
  options: { readonly rpcUrl: string; readonly fetch?: typeof globalThis.fetch },
): Promise<PaymentOutcome> {
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  return paymentOutcome(payment, connectRpc(options.rpcUrl, fetchTransport(fetch)));
}
