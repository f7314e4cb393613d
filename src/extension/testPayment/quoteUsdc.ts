import * as xdr from '@stellar/stellar-sdk/xdr';
import * as z from 'zod/mini';
import {
  formatDecimalAmount,
  parseAccountAddress,
  parseDecimalAmount,
  USDC_ISSUER,
} from '../../protocol/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { getJson, ReadError } from '../http/index.ts';
import { TestFailure } from '../request/index.ts';
import { assetOf } from './usdc.ts';

const pathsSchema = z.looseObject({
  _embedded: z.object({
    records: z.array(
      z.object({
        source_amount: z.string(),
        path: z.array(
          z.object({
            asset_type: z.string(),
            asset_code: z.optional(z.string()),
            asset_issuer: z.optional(z.string()),
          }),
        ),
      }),
    ),
  }),
});

/** The price of USDC in XLM, and the assets on the path. */
export interface UsdcQuote {
  /** Stroops. */
  readonly cost: bigint;
  readonly path: readonly xdr.Asset[];
}

/** Friendbot provides 10,000 XLM; the rest pays reserves and fees. */
const MAX_STROOPS = 90_000_000_000n;

/**
 * Asks Horizon for the cheapest path to buy USDC.
 * @param amount atomic units of USDC
 * @throws TestFailure if nobody sells
 */
export async function quoteUsdc(
  horizonUrl: string,
  amount: bigint,
  transport: HttpTransport,
  signal: AbortSignal,
): Promise<UsdcQuote> {
  const query = new URLSearchParams({
    source_assets: 'native',
    destination_asset_type: 'credit_alphanum4',
    destination_asset_code: 'USDC',
    destination_asset_issuer: USDC_ISSUER,
    destination_amount: formatDecimalAmount(amount),
  });
  const url = `${horizonUrl}/paths/strict-receive?${query}`;
  const { _embedded } = await getJson(transport, url, pathsSchema, signal).catch((error) => {
    if (!(error instanceof ReadError)) throw error;
    throw new TestFailure('network_down', error.message, '', { cause: error });
  });
  const quotes = _embedded.records.flatMap(({ source_amount, path }) => {
    const cost = parseDecimalAmount(source_amount);
    return cost === undefined ? [] : [{ cost, path: path.flatMap(readAsset) }];
  });
  const [best] = quotes.sort((a, b) => (a.cost < b.cost ? -1 : 1));
  if (best === undefined || best.cost > MAX_STROOPS) throw new TestFailure('no_liquidity');
  return best;
}

function readAsset(asset: {
  asset_type: string;
  asset_code?: string | undefined;
  asset_issuer?: string | undefined;
}): xdr.Asset[] {
  if (asset.asset_type === 'native') return [xdr.Asset.assetTypeNative()];
  const issuer = parseAccountAddress(asset.asset_issuer ?? '');
  return issuer && asset.asset_code ? [assetOf(asset.asset_code, issuer)] : [];
}
