import {
  connectRpc,
  fetchTransport,
  type PaymentOutcome,
  paymentOutcome,
  type SentPayment,
} from '../exact/index.ts';

/**
 * Reads a payment's outcome from the ledger, submitted by anyone, such as that of `error.payment` if `moneyMoved` is `not_yet`
 * or `unknown`. Until its `expirationLedger` an unused payment is `not_yet`; from then on the result is `yes` or `no`, as far as
 * the RPC's history reaches.
 * @throws RpcFailedError if the RPC is unreachable
 * @example with an account that holds USDC, and a seller that charges and then hangs up
 * ```ts
 * import { accountSigner, createX402Fetch, lookUpPayment, USDC, usdc, X402Error } from 'svc-x402-sdk';
 *
 * const rpcUrl = 'http://127.0.0.1:8000/rpc';
 * const pay = createX402Fetch({
 *   signer: accountSigner(address, sign),
 *   rpcUrl,
 *   allowedAssets: [USDC],
 *   maxAmount: usdc('0.01 USDC'),
 * });
 * try {
 *   await pay('http://127.0.0.1:4022/weather/Lima');
 * } catch (error) {
 *   if (!(error instanceof X402Error) || error.payment === undefined) throw error;
 *   const { moneyMoved } = await lookUpPayment(error.payment, { rpcUrl });
 *   console.log(moneyMoved); // yes
 * }
 * ```
 */
export function lookUpPayment(
  payment: SentPayment,
  options: { readonly rpcUrl: string; readonly fetch?: typeof globalThis.fetch },
): Promise<PaymentOutcome> {
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  return paymentOutcome(payment, connectRpc(options.rpcUrl, fetchTransport(fetch)));
}
