import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createEd25519Signer } from '@x402/stellar';
import { ExactStellarScheme } from '@x402/stellar/exact/client';
import * as settings from './settings.mjs';

/**
 * Creates one payer's x402 client.
 *
 * @param {import('@stellar/stellar-sdk').Keypair} keypair
 */
export function createPayer(keypair) {
  const signer = createEd25519Signer(keypair.secret(), settings.network);
  const scheme = new ExactStellarScheme(signer, { url: settings.rpcUrl });
  const client = new x402Client().register(settings.network, scheme);
  return {
    client,
    /** @param {typeof fetch} baseFetch */
    payWith: (baseFetch) => wrapFetchWithPayment(baseFetch, client),
  };
}

/**
 * Returns the outcome of a payment: the receipt if it settled, otherwise the reason why not.
 *
 * @param {Response} response
 */
export function outcomeOf(response) {
  const { status } = response;
  const receipt = response.headers.get('PAYMENT-RESPONSE');
  const settlement = receipt ? decodePaymentResponseHeader(receipt) : undefined;
  if (settlement?.success) return { status, settlement };
  const refusal = response.headers.get('PAYMENT-REQUIRED');
  const reason =
    settlement?.errorReason ?? (refusal ? decodePaymentRequiredHeader(refusal).error : undefined);
  return { status, reason: reason ?? 'no reason given' };
}
