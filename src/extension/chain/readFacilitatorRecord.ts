import * as z from 'zod/mini';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { getJson, ReadError } from '../http/index.ts';

const recordSchema = z.looseObject({
  state: z.string(),
  moneyMoved: z.string(),
  presentedAt: z.string(),
  updatedAt: z.string(),
});

/** What a facilitator's journal has of a settlement, and where it can be read. */
export interface FacilitatorRecord extends z.infer<typeof recordSchema> {
  readonly url: string;
}

/** Asks a facilitator for its record; `undefined` when it has none or gives no answer. */
export async function readFacilitatorRecord(
  facilitatorUrl: string,
  hash: string,
  transport: HttpTransport,
): Promise<FacilitatorRecord | undefined> {
  const url = `${facilitatorUrl.replace(/\/+$/, '')}/settlements/${hash}`;
  try {
    return { ...(await getJson(transport, url, recordSchema)), url };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return undefined;
  }
}
