import { xdr } from '@stellar/stellar-sdk';
import { accountIdString, type LedgerTxn } from '../../state/index.ts';
import {
  addBuyingLiabilities,
  addSellingLiabilities,
  buyingLiabilities,
  type Holding,
  holdingBalance,
  INT64_MAX,
  isIssuer,
  LedgerFault,
  loadHolding,
  mayMaintainLiabilities,
  minBalance,
  mustLoadAccount,
  peekHolding,
  sellingLiabilities,
  updateHolding,
} from '../balances/index.ts';
import { adjustedOfferAmount, offerLiabilities } from './offerArithmetic.ts';
import { eraseOffer, type StandingOffer, standingOffer, withOffer } from './offerEntry.ts';

/** The total amounts of one asset that the offers of an account buy and sell. */
interface AssetTotals {
  readonly asset: xdr.Asset;
  readonly buying: bigint;
  readonly selling: bigint;
}

type Totals = Map<string, AssetTotals>;

/**
 * Handles a raised base reserve. If an account's offers in an asset together sell more than it can now spend, or buy more than
 * it can hold, all of them are removed, and its liabilities are set to the remaining ones. This is judged by the balance and
 * reserve that the account had before the first offer was removed. Records every offer and its owner.
 *
 * As in stellar-core, liabilities in an asset that none of the account's remaining offers trade do not change (stellar-core
 * `Upgrades.cpp`, `prepareLiabilities`).
 */
export function settleOffersAfterRaisedReserve(ltx: LedgerTxn): void {
  const offersByOwner = loadOffersByOwner(ltx);
  const spendable = new Map<string, bigint>();
  for (const [owner, [first]] of offersByOwner) {
    if (first === undefined) continue;
    const account = mustLoadAccount(ltx, first.offer.sellerId);
    spendable.set(owner, account.balance - minBalance(ltx.header, account));
  }
  for (const [owner, offers] of offersByOwner) {
    settleOffersOf(ltx, offers, spendable.get(owner) ?? 0n);
  }
}

function loadOffersByOwner(ltx: LedgerTxn): Map<string, StandingOffer[]> {
  const offersByOwner = new Map<string, StandingOffer[]>();
  for (const id of ltx.allOffers()) {
    const standing = standingOffer(ltx.load(id));
    if (standing === undefined) continue;
    const owner = accountIdString(standing.offer.sellerId);
    const offers = offersByOwner.get(owner);
    if (offers === undefined) offersByOwner.set(owner, [standing]);
    else offers.push(standing);
  }
  return offersByOwner;
}

function settleOffersOf(ltx: LedgerTxn, offers: readonly StandingOffer[], spendable: bigint): void {
  const before: Totals = new Map();
  for (const { offer } of offers) addOffer(before, offer);
  const after: Totals = new Map();
  for (const standing of offers) {
    const { entry, offer } = standing;
    const amount = isExcessive(ltx, before, offer, spendable)
      ? 0n
      : adjustedOfferAmount(offer.price, offer.amount, INT64_MAX);
    if (amount === 0n) {
      eraseOffer(ltx, standing);
      continue;
    }
    const left = amount === offer.amount ? offer : new xdr.OfferEntry({ ...offer, amount });
    ltx.update(withOffer(entry, left));
    addOffer(after, left);
  }
  const [first] = offers;
  if (first === undefined) return;
  for (const totals of after.values()) setLiabilities(ltx, first.offer.sellerId, totals);
}

/** Counts an offer; assets that its owner issues are unlimited and not counted. */
function addOffer(
  totals: Totals,
  { sellerId, selling, buying, price, amount }: xdr.OfferEntry,
): void {
  const liabilities = offerLiabilities(price, amount);
  add(totals, sellerId, { asset: buying, buying: liabilities.buying, selling: 0n });
  add(totals, sellerId, { asset: selling, buying: 0n, selling: liabilities.selling });
}

function add(totals: Totals, owner: xdr.PublicKey, { asset, buying, selling }: AssetTotals): void {
  if (isIssuer(owner, asset)) return;
  const key = asset.toXdr('hex');
  const known = totals.get(key);
  totals.set(key, {
    asset,
    buying: (known?.buying ?? 0n) + buying,
    selling: (known?.selling ?? 0n) + selling,
  });
}

function isExcessive(
  ltx: LedgerTxn,
  totals: Totals,
  { sellerId, selling, buying }: xdr.OfferEntry,
  spendable: bigint,
): boolean {
  const sold = totals.get(selling.toXdr('hex'))?.selling ?? 0n;
  const bought = totals.get(buying.toXdr('hex'))?.buying ?? 0n;
  return (
    sold > sellable(peekHolding(ltx, sellerId, selling), spendable) ||
    bought > holdable(peekHolding(ltx, sellerId, buying))
  );
}

/** The amount that could be sold without any liabilities. */
function sellable(holding: Holding | undefined, spendable: bigint): bigint {
  if (holding === undefined || !mayMaintainLiabilities(holding)) return 0n;
  return holding.kind === 'native' ? spendable : holdingBalance(holding);
}

/** The amount that could be bought without any liabilities. */
function holdable(holding: Holding | undefined): bigint {
  if (holding === undefined || !mayMaintainLiabilities(holding)) return 0n;
  if (holding.kind === 'native') return INT64_MAX - holding.account.balance;
  return holding.kind === 'line' ? holding.line.limit - holding.line.balance : INT64_MAX;
}

function setLiabilities(ltx: LedgerTxn, owner: xdr.PublicKey, totals: AssetTotals): void {
  const holding = loadHolding(ltx, owner, totals.asset);
  if (holding === undefined) throw new LedgerFault('trustline_missing');
  const selling = totals.selling - sellingLiabilities(holding);
  const buying = totals.buying - buyingLiabilities(holding);
  if (holding.kind === 'line' && (selling > 0n || buying > 0n)) {
    throw new LedgerFault('offer_liabilities');
  }
  const lessSelling = addSellingLiabilities(ltx.header, holding, selling);
  const settled = lessSelling && addBuyingLiabilities(lessSelling, buying);
  if (settled === undefined) throw new LedgerFault('offer_liabilities');
  updateHolding(ltx, settled);
}
