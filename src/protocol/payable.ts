import { parseDecimalAmount } from '../../common/amount.ts';
import { decodeStrKey } from '../../common/strKey.ts';
import { USDC_ISSUER } from '../../common/testnetAssets.ts';

/** Whether an account can be paid in USDC, according to a network. */
export type Payable =
  | { readonly state: 'payable'; readonly usdc: bigint }
  | { readonly state: 'issuer' | 'no_account' | 'no_trustline' | 'unknown' };

/** Requests a URL and returns the response's status and body. */
export type GetText = (
  url: string,
) => Promise<{ readonly status: number; text(): Promise<string> }>;

/**
 * Asks a Horizon server whether an address can be paid in USDC. Returns `unknown` for contracts, and if no server is known or
 * none answers.
 * @param horizonUrl without a slash at the end
 */
export async function payable(
  address: string,
  horizonUrl: string | undefined,
  get: GetText,
): Promise<Payable> {
  if (address === USDC_ISSUER) return { state: 'issuer' };
  if (!horizonUrl || !decodeStrKey('account', address)) return { state: 'unknown' };
  try {
    const response = await get(`${horizonUrl}/accounts/${address}`);
    if (response.status === 404) return { state: 'no_account' };
    if (response.status !== 200) return { state: 'unknown' };
    return usdcIn(JSON.parse(await response.text()));
  } catch {
    return { state: 'unknown' };
  }
}

/**
 * Returns the reason an address cannot be paid, worded as the end of a sentence about it; `undefined` if it can be paid or that
 * is unknown.
 * @param network such as `the network that runs here`
 */
export function whyNotPayable({ state }: Payable, network: string): string | undefined {
  switch (state) {
    case 'issuer':
      return 'is the issuer of USDC, so nobody could pay it';
    case 'no_account':
      return `does not exist on ${network}, so nobody could pay it`;
    case 'no_trustline':
      return 'has no trustline to USDC, so nobody could pay it';
    case 'payable':
    case 'unknown':
      return undefined;
  }
}

function usdcIn(account: unknown): Payable {
  const lines = isRecord(account) ? account['balances'] : undefined;
  if (!Array.isArray(lines)) return { state: 'unknown' };
  const line: unknown = lines.find(
    (each) =>
      isRecord(each) && each['asset_code'] === 'USDC' && each['asset_issuer'] === USDC_ISSUER,
  );
  if (!isRecord(line)) return { state: 'no_trustline' };
  const { balance } = line;
  return {
    state: 'payable',
    usdc: (typeof balance === 'string' ? parseDecimalAmount(balance) : undefined) ?? 0n,
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
