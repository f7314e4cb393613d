import {
  formatDecimalAmount,
  type PaymentProtocol,
  USDC_CONTRACT,
  X402_VERSION,
} from '../../../../protocol/index.ts';
import { CHARGE_INTENT, STELLAR_METHOD } from '../../../../protocol/mpp/index.ts';
import type { CatalogEntry } from '../../../catalog/index.ts';

type Json = Readonly<Record<string, unknown>>;
type Option = CatalogEntry['accepts'][number];

/** Returns the least and the most that an option takes: the amount of `upto` is a ceiling. */
function range({ scheme, amount }: Option): readonly [least: bigint, most: bigint] {
  const most = BigInt(amount);
  return [scheme === 'upto' ? 0n : most, most];
}

/**
 * Returns the price as indexers read it, in dollars. Only USDC has one: what another token is worth nobody here knows.
 */
function priceOf(accepts: readonly Option[]): Json | undefined {
  const amounts = accepts
    .filter(({ asset }) => asset === USDC_CONTRACT)
    .flatMap(range)
    .sort((one, other) => Number(one > other) - Number(one < other));
  const [least, most] = [amounts[0], amounts.at(-1)];
  if (least === undefined || most === undefined) return undefined;
  return least === most
    ? { mode: 'fixed', currency: 'USD', amount: formatDecimalAmount(most) }
    : {
        mode: 'dynamic',
        currency: 'USD',
        min: formatDecimalAmount(least),
        max: formatDecimalAmount(most),
      };
}

/** Returns `offers` of MPP: a charge on Stellar is the same transfer as an option of scheme `exact`. */
function offersOf(accepts: readonly Option[]) {
  return accepts.flatMap(({ scheme, amount, asset: currency }) =>
    scheme === 'exact' ? [{ method: STELLAR_METHOD, intent: CHARGE_INTENT, currency, amount }] : [],
  );
}

/**
 * Returns `x-payment-info` of an operation, as x402scan and AgentCash read it (decision 0084): the price in dollars, and
 * under the protocol each way to pay, in atomic units. `offers` of MPP are there if a check of the owner saw its challenge. The
 * 402 of the resource decides, not this.
 * @param seen protocols in which the resource was seen to ask for payment; none: the entry's payments are all that is known
 */
export function paymentInfo(
  accepts: readonly Option[],
  seen: readonly PaymentProtocol[] = [],
): Json {
  const price = priceOf(accepts);
  const ways = accepts.map(({ scheme, network, asset, amount, payTo }) => ({
    scheme,
    network,
    asset,
    amount,
    payTo,
  }));
  const offers = seen.includes('mpp') ? offersOf(accepts) : [];
  const isX402 = seen.length === 0 || seen.includes('x402');
  return {
    ...(price === undefined ? {} : { price }),
    protocols: [
      ...(isX402 ? [{ x402: { version: X402_VERSION, accepts: ways } }] : []),
      ...offers.slice(0, 1).map(({ amount: _, ...charge }) => ({ mpp: charge })),
    ],
    ...(offers.length === 0 ? {} : { offers }),
  };
}
