import * as z from 'zod/mini';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { getJson, ReadError } from '../http/index.ts';

const recordSchema = z.looseObject({
  state: z.string(),
  moneyMoved: z.string(),
  presentedAt: z.string(),
  updatedAt: z.string(),
});

/** A settlement's record in a facilitator's journal, and the URL of that record. */
export interface FacilitatorRecord extends z.infer<typeof recordSchema> {
  readonly url: string;
}

/** Fetches a facilitator's record; `undefined` if it has none or does not respond. */
export async function readFacilitatorRecord(
  facilitatorUrl: string,
  hash: string,
  transport: HttpTransport,
): Promise<FacilitatorRecord | undefined> {
  const url = `${facilitatorUrl.replace(/(?<!\/)\/+$/, '')}/settlements/${hash}`;
  try {
    return { ...(await getJson(transport, url, recordSchema)), url };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return undefined;
  }
}
