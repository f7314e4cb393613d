import { xdr } from '@stellar/stellar-sdk';
import type { Hono } from 'hono';
import { claimableBalanceKeyId } from '../../state/index.ts';
import { addressOf } from '../format/address.ts';
import { canonicalAsset } from '../format/asset.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import { takePage } from '../http/paging.ts';
import { accountParameter, canonicalParameter } from '../http/parameters.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { claimableBalanceRecord } from '../resources/claimableBalance.ts';
import { ClaimableBalanceIndex, claimableBalanceMatches } from '../state/claimableBalanceIndex.ts';
import { claimableBalanceIdPart } from './parts.ts';

const NO_CURSOR =
  'The first part should be a number higher than 0 and the second part should be a valid claimable balance ID';

/** `/claimable_balances`, and one of them. */
export function claimableBalanceRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/claimable_balances',
    answers.page((request, { cursor, order, limit }) => {
      const asset = canonicalParameter(request, 'asset');
      const sponsor = accountParameter(request, 'sponsor');
      const claimant = accountParameter(request, 'claimant');
      const filter = {
        asset: asset && canonicalAsset(asset),
        sponsor: sponsor && addressOf(sponsor),
        claimant: claimant && addressOf(claimant),
      };
      const ids = view.indexes
        .get(ClaimableBalanceIndex)
        .walk(filter, order, cursor === '' ? undefined : readCursor(cursor));
      return takePage(ids, limit, (id) => {
        const entry = view.state.peek(id);
        if (entry?.data.type !== 'claimableBalance') return undefined;
        if (!claimableBalanceMatches(entry, filter)) return undefined;
        return claimableBalanceRecord(view, request.links, entry, entry.data.claimableBalance);
      });
    }),
  );
  app.get(
    '/claimable_balances/:id',
    answers.object((request) => {
      const id = xdr.ClaimableBalanceId.fromXdr(claimableBalanceIdPart(request), 'hex');
      const entry = view.state.peek(claimableBalanceKeyId(id));
      if (entry?.data.type !== 'claimableBalance') throw new HorizonProblem('not_found');
      const { claimableBalance } = entry.data;
      return claimableBalanceRecord(view, request.links, entry, claimableBalance).resource;
    }),
  );
}

/** @throws HorizonProblem `bad_request` */
function readCursor(cursor: string): { readonly ledger: number; readonly id: string } {
  const [, ledger, id] = /^(\d{1,10})-([0-9a-f]+)$/.exec(cursor) ?? [];
  if (ledger === undefined || id === undefined || !xdr.ClaimableBalanceId.validateXdr(id, 'hex')) {
    throw invalidField('cursor', NO_CURSOR);
  }
  return { ledger: Number(ledger), id };
}
