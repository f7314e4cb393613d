import { formatDecimalAmount, parseAtomicAmount, STELLAR_TESTNET } from '../../protocol/index.ts';
import type { PaymentProtocol } from '../../sdk/exact/index.ts';
import { t } from '../words/index.ts';

/** An offer of a 402, as a seller wrote it. */
export interface Offer {
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly extra?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A condition of a payment. `ok` is `undefined` until it is known. */
export interface TermsCheck {
  readonly label: string;
  readonly ok: boolean | undefined;
  /** What was found instead, if the condition is not met. */
  readonly found: string;
}

/** An endpoint's payment terms. */
export interface Terms {
  readonly price: string;
  /** Atomic units; `undefined` if the offer has none. */
  readonly amount: string | undefined;
  /** The asset's contract. */
  readonly asset: string;
  readonly recipient: string;
  readonly network: string;
  /** The protocols by which the endpoint can be paid, for people. */
  readonly protocols: string;
  readonly description: string;
  readonly checks: readonly TermsCheck[];
}

/** What a test payment can pay. */
export interface Payable {
  readonly asset: string;
  /** Atomic units. */
  readonly mostAmount: bigint;
}

/**
 * Decodes the offer that a test payment would accept: the first on testnet, or else the first.
 * @param resource the challenge's description of the resource
 * @param protocols those that the endpoint offers
 */
export function readTerms(
  offers: readonly Offer[],
  resource: unknown,
  payable: Payable,
  protocols: readonly PaymentProtocol[],
): Terms | undefined {
  const offer = offers.find(({ network }) => network === STELLAR_TESTNET) ?? offers[0];
  if (offer === undefined) return undefined;
  const amount = parseAtomicAmount(offer.amount);
  const isUsdc = offer.asset === payable.asset;
  const unit = isUsdc ? 'USDC' : t('of asset {0}', offer.asset);
  const price = amount === undefined ? offer.amount : `${formatDecimalAmount(amount)} ${unit}`;
  const most = `${formatDecimalAmount(payable.mostAmount)} USDC`;
  const check = (label: string, ok: boolean, found: string): TermsCheck => ({ label, ok, found });
  return {
    price,
    amount: amount?.toString(),
    asset: offer.asset,
    recipient: offer.payTo,
    network: offer.network,
    protocols: protocols.map(protocolName).join(', '),
    description: descriptionOf(resource),
    checks: [
      check(t('Network is stellar:testnet'), offer.network === STELLAR_TESTNET, offer.network),
      check(t('Scheme is exact'), offer.scheme === 'exact', offer.scheme),
      check(t('Asset is testnet USDC'), isUsdc, offer.asset),
      check(
        t('Price is above zero and at most {0}', most),
        amount !== undefined && amount > 0n && amount <= payable.mostAmount,
        price,
      ),
      check(
        t('Facilitator pays the network fee'),
        offer.extra?.['areFeesSponsored'] === true,
        protocols.includes('x402') ? t('areFeesSponsored is not true') : t('feePayer is not true'),
      ),
    ],
  };
}

/** A protocol's name, with its meaning where that is not well known. */
export function protocolName(protocol: PaymentProtocol): string {
  return protocol === 'mpp' ? 'MPP (Machine Payments Protocol)' : 'x402';
}

function descriptionOf(resource: unknown): string {
  if (typeof resource !== 'object' || resource === null || !('description' in resource)) return '';
  return typeof resource.description === 'string' ? resource.description.slice(0, 300) : '';
}
