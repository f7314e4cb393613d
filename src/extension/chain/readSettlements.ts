import * as z from 'zod/mini';
import { parseDecimalAmount, USDC_ISSUER } from '../../protocol/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { getJson, ReadError } from '../http/index.ts';

/** A payment to the configured address that is on the ledger. */
export interface Settlement {
  /** Horizon's id of the operation. */
  readonly id: string;
  readonly hash: string;
  readonly at: Date;
  readonly from: string;
  /** Atomic units of USDC. */
  readonly amount: bigint;
}

export interface SettlementPage {
  readonly settlements: readonly Settlement[];
  /** Where the next (older) page begins; `undefined` after the last page. */
  readonly cursor: string | undefined;
}

const pageSchema = z.looseObject({
  _embedded: z.object({
    records: z.array(
      z.looseObject({
        id: z.string(),
        paging_token: z.string(),
        type: z.string(),
        transaction_hash: z.string(),
        created_at: z.string(),
        asset_balance_changes: z.nullish(
          z.array(
            z.looseObject({
              type: z.string(),
              from: z.optional(z.string()),
              to: z.optional(z.string()),
              amount: z.string(),
              asset_code: z.optional(z.string()),
              asset_issuer: z.optional(z.string()),
            }),
          ),
        ),
      }),
    ),
  }),
});

/** Search limits for one page: Horizon's pages also contain other payments. */
const PAGE = 100;
const MAX_PAGES = 5;

/**
 * Reads the latest settlements to an address, newest first: transfers of USDC by its contract. Classic payments do not count,
 * and the ledger does not record which resource a settlement was for.
 * @throws ReadError
 */
export async function readSettlements(
  horizonUrl: string,
  address: string,
  count: number,
  transport: HttpTransport,
  { cursor, signal }: { cursor?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<SettlementPage> {
  const settlements: Settlement[] = [];
  let next = cursor;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = new URLSearchParams({ order: 'desc', limit: String(PAGE) });
    if (next !== undefined) query.set('cursor', next);
    const url = `${horizonUrl}/accounts/${address}/payments?${query}`;
    const page = await getJson(transport, url, pageSchema, signal).catch((error: unknown) => {
      if (error instanceof ReadError && error.status === 404) return undefined;
      throw error;
    });
    const records = page?._embedded.records ?? [];
    for (const record of records) {
      next = record.paging_token;
      const settlement = settlementOf(record, address);
      if (settlement === undefined) continue;
      settlements.push(settlement);
      if (settlements.length === count) return { settlements, cursor: next };
    }
    if (records.length < PAGE) return { settlements, cursor: undefined };
  }
  return { settlements, cursor: next };
}

type PaymentRecord = z.infer<typeof pageSchema>['_embedded']['records'][number];

function settlementOf(record: PaymentRecord, address: string): Settlement | undefined {
  if (record.type !== 'invoke_host_function') return undefined;
  const transfers = (record.asset_balance_changes ?? []).filter(
    ({ type, to, asset_code, asset_issuer }) =>
      type === 'transfer' &&
      to === address &&
      asset_code === 'USDC' &&
      asset_issuer === USDC_ISSUER,
  );
  const [first] = transfers;
  if (first === undefined) return undefined;
  const amount = transfers.reduce(
    (sum, transfer) => sum + (parseDecimalAmount(transfer.amount) ?? 0n),
    0n,
  );
  return {
    id: record.id,
    hash: record.transaction_hash,
    at: new Date(record.created_at),
    from: first.from ?? 'unknown',
    amount,
  };
}
