import type { Hono } from 'hono';
import { parseAccount } from '../format/address.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import { takePage } from '../http/paging.ts';
import { invalidField } from '../http/problem.ts';
import { assetRecord } from '../resources/assetStatistics.ts';
import { AssetIndex } from '../state/assetStatisticsIndex.ts';

const CODE = /^[a-zA-Z0-9]{1,12}$/;
const TYPES = ['credit_alphanum4', 'credit_alphanum12'];

/** `/assets`. */
export function assetRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/assets',
    answers.page((request, { cursor, order, limit }) => {
      const code = request.text('asset_code');
      const issuer = request.text('asset_issuer');
      if (code !== '' && !CODE.test(code)) {
        throw invalidField('asset_code', `${code} is not a valid asset code`);
      }
      if (issuer !== '' && parseAccount(issuer) === undefined) {
        throw invalidField('asset_issuer', `${issuer} is not a valid asset issuer`);
      }
      if (cursor !== '') requireCursor(cursor);
      const assets = view.indexes
        .get(AssetIndex)
        .walk(code, order, cursor === '' ? undefined : cursor);
      return takePage(assets, limit, (statistics) =>
        issuer === '' || statistics.issuer === issuer ? assetRecord(view, statistics) : undefined,
      );
    }),
  );
}

/** @throws HorizonProblem `bad_request` */
function requireCursor(cursor: string): void {
  const [code, issuer, ...type] = cursor.split('_');
  if (code === undefined || issuer === undefined || type.length === 0) {
    throw invalidField('cursor', 'the cursor is not a valid paging_token');
  }
  if (!CODE.test(code)) throw invalidField('cursor', `${code} is not a valid asset code`);
  if (parseAccount(issuer) === undefined) {
    throw invalidField('cursor', `${issuer} is not a valid asset issuer`);
  }
  if (!TYPES.includes(type.join('_'))) {
    throw invalidField('cursor', `${type.join('_')} is not a valid asset type`);
  }
}
