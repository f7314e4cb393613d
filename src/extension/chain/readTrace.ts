import * as z from 'zod/mini';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { getJson } from '../http/index.ts';

const traceSchema = z.looseObject({ text: z.string() });

/**
 * Reads a transaction's trace in the form that the terminal prints: the tree of calls with their resources, and the story of a
 * payment.
 * @param explorerUrl URL at which people browse the embedded network
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
