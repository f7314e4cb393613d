import type { xdr } from '@stellar/stellar-sdk';
import type { Hono } from 'hono';
import { addressOf } from '../format/address.ts';
import { canonicalAsset } from '../format/asset.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import { type PageQuery, type PageRecord, readLimit, takePage } from '../http/paging.ts';
import {
  accountParameter,
  accountPart,
  assetParameters,
  canonicalParameter,
} from '../http/parameters.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { offerRecord } from '../resources/offer.ts';
import { orderBookResource } from '../resources/orderBook.ts';
import { type OfferFilter, OfferIndex, offerMatches } from '../state/offerIndex.ts';

const USUAL_LEVELS = 20;

/** `/offers`, one offer, the offers of an account, and the book of a market. */
export function offerRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/offers',
    answers.page((request, query) => {
      const [seller, sponsor] = ['seller', 'sponsor'].map((name) => accountFilter(request, name));
      const [selling, buying] = ['selling', 'buying'].map((side) => assetFilter(request, side));
      return offersPage(view, request, query, { seller, sponsor, selling, buying });
    }),
  );
  app.get(
    '/accounts/:account_id/offers',
    answers.streamedPage((request, query) =>
      offersPage(view, request, query, { seller: addressOf(accountPart(request)) }),
    ),
  );
  app.get(
    '/offers/:offer_id',
    answers.object((request) => {
      const offer = view.indexes.get(OfferIndex).find(readOfferId(request.part('offer_id')));
      const entry = offer === undefined ? undefined : view.state.peek(offer);
      if (entry?.data.type !== 'offer') throw new HorizonProblem('not_found');
      return offerRecord(view, request.links, entry, entry.data.offer).resource;
    }),
  );
  app.get(
    '/order_book',
    answers.streamedObject((request) => {
      const { selling, buying, limit } = readMarket(request);
      return orderBookResource(view.state, selling, buying, limit);
    }),
  );
}

/** @throws HorizonProblem `bad_request` */
export function readOfferId(text: string): bigint {
  const id = /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
  if (id === 0n || id >= 2n ** 63n) {
    throw invalidField('offer_id', 'Offer ID must be an integer higher than 0');
  }
  return id;
}

function offersPage(
  view: HorizonView,
  { links }: HorizonRequest,
  { cursor, order, limit }: PageQuery,
  filter: OfferFilter,
): PageRecord[] {
  if (cursor !== '' && !/^\d{1,19}$/.test(cursor)) {
    throw invalidField('cursor', 'cursor: invalid value');
  }
  const behind = cursor === '' ? undefined : BigInt(cursor);
  const offers = view.indexes.get(OfferIndex).walk(filter, order, behind);
  return takePage(offers, limit, (id) => {
    const entry = view.state.peek(id);
    if (entry?.data.type !== 'offer' || !offerMatches(entry, filter)) return undefined;
    return offerRecord(view, links, entry, entry.data.offer);
  });
}

function accountFilter(request: HorizonRequest, name: string): string | undefined {
  const account = accountParameter(request, name);
  return account && addressOf(account);
}

/** An asset in its canonical form (`selling`), or in three parameters (`selling_asset_type`, …). */
function assetFilter(request: HorizonRequest, side: string): string | undefined {
  const canonical = canonicalParameter(request, side);
  const parts = assetParameters(request, `${side}_`);
  if (canonical !== undefined && parts !== undefined) {
    throw invalidField(
      `${side}_asset_type`,
      `Ambiguous parameter, you can't include both \`${side}\` and \`${side}_asset_type\`. Remove all parameters of the form \`${side}_\``,
    );
  }
  const asset = canonical ?? parts;
  return asset && canonicalAsset(asset);
}

/** @throws HorizonProblem `invalid_order_book` */
function readMarket(request: HorizonRequest): {
  readonly selling: xdr.Asset;
  readonly buying: xdr.Asset;
  readonly limit: number;
} {
  try {
    const selling = assetParameters(request, 'selling_');
    const buying = assetParameters(request, 'buying_');
    const limit = readLimit(request, USUAL_LEVELS);
    if (selling !== undefined && buying !== undefined) return { selling, buying, limit };
  } catch (error) {
    if (!(error instanceof HorizonProblem)) throw error;
  }
  throw new HorizonProblem('invalid_order_book');
}
