import * as z from 'zod/mini';
import { decodeHeaderMessage, PAYMENT_RESPONSE_HEADER } from '../../protocol/index.ts';
import { PAYMENT_RECEIPT_HEADER, readReceipt } from '../../protocol/mpp/index.ts';
import type { HttpResponse } from './httpTransport.ts';

const settlementSchema = z.object({
  success: z.boolean(),
  transaction: z.string(),
  network: z.nullish(z.string()),
  payer: z.nullish(z.string()),
  amount: z.nullish(z.string()),
  errorReason: z.nullish(z.string()),
  errorMessage: z.nullish(z.string()),
  /** The facilitator's own code, which names some refusals more exactly than `errorReason`. */
  reason: z.nullish(z.string()),
});

/** The parts of the facilitator's response that the seller passes on (spec: Settle response). */
export type Settlement = z.infer<typeof settlementSchema>;

/** Reads the `PAYMENT-RESPONSE` header; `undefined` if it is missing or malformed. */
export function readSettlement(response: HttpResponse): Settlement | undefined {
  const header = response.headers.get(PAYMENT_RESPONSE_HEADER);
  const parsed = z.safeParse(settlementSchema, decodeHeaderMessage(header ?? ''));
  return parsed.success ? parsed.data : undefined;
}

/** Reads the `Payment-Receipt` header of MPP; `undefined` if it is missing or malformed. */
export function readMppSettlement(response: HttpResponse): Settlement | undefined {
  const receipt = readReceipt(response.headers.get(PAYMENT_RECEIPT_HEADER) ?? '');
  if (receipt === undefined) return undefined;
  return { success: receipt.status === 'success', transaction: receipt.reference };
}
