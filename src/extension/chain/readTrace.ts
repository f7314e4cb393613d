import * as z from 'zod/mini';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { getJson } from '../http/index.ts';

const traceSchema = z.looseObject({ text: z.string() });

/**
 * The trace of a transaction as the terminal shows it: the tree of calls, with what each consumed, and the story of a payment.
 * @param explorerUrl where people browse the embedded network
 * @throws ReadError
 */
export async function readTrace(
  explorerUrl: string,
  hash: string,
  transport: HttpTransport,
): Promise<string> {
  const { text } = await getJson(transport, `${explorerUrl}/tx/${hash}/trace`, traceSchema);
  return text;
}
