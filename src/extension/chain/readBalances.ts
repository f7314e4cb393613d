import * as z from 'zod/mini';
import { parseDecimalAmount, USDC_ISSUER } from '../../protocol/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { getJson, ReadError } from '../http/index.ts';

const accountSchema = z.looseObject({
  balances: z.array(
    z.looseObject({
      balance: z.string(),
      asset_type: z.string(),
      asset_code: z.optional(z.string()),
      asset_issuer: z.optional(z.string()),
    }),
  ),
});

export interface Balances {
  /** Stroops. */
  readonly xlm: bigint;
  /** Atomic units; `undefined` without a trustline, which is not the same as zero. */
  readonly usdc: bigint | undefined;
}

/** An account's balances; `undefined` if it does not exist. @throws ReadError */
export async function readBalances(
  horizonUrl: string,
  address: string,
  transport: HttpTransport,
  signal?: AbortSignal,
): Promise<Balances | undefined> {
  try {
    const url = `${horizonUrl}/accounts/${address}`;
    const { balances } = await getJson(transport, url, accountSchema, signal);
    const native = balances.find(({ asset_type }) => asset_type === 'native');
    const usdc = balances.find(
      ({ asset_code, asset_issuer }) => asset_code === 'USDC' && asset_issuer === USDC_ISSUER,
    );
    return {
      xlm: parseDecimalAmount(native?.balance ?? '0') ?? 0n,
      usdc: usdc && (parseDecimalAmount(usdc.balance) ?? 0n),
    };
  } catch (error) {
    if (error instanceof ReadError && error.status === 404) return undefined;
    throw error;
  }
}
