import {
  connectRpc,
  fetchTransport,
  type PaymentOutcome,
  paymentOutcome,
  type SentPayment,
} from '../exact/index.ts';

/**
 * Asks the ledger what became of a payment, such as `error.payment` of an error whose `moneyMoved` is
 * `unknown`. From its `expirationLedger` on the answer is `yes` or `no`, as far as the RPC's history reaches.
 * @throws RpcFailedError when the RPC cannot be reached
 */
export function lookUpPayment(
  payment: SentPayment,
  options: { readonly rpcUrl: string; readonly fetch?: typeof globalThis.fetch },
): Promise<PaymentOutcome> {
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  return paymentOutcome(payment, connectRpc(options.rpcUrl, fetchTransport(fetch)));
}
