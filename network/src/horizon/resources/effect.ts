import { EFFECT_TYPES, type Effect } from '../effects/effect.ts';
import { timeText } from '../format/time.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import type { Links } from '../http/horizonRequest.ts';

/** An effect, as in `/effects`, without the fields of its type. */
export type EffectResource = ReturnType<typeof effectRecord>['resource'];

/** @param order from 1, among the effects of the operation */
export function effectRecord(
  links: Links,
  operation: HistoryOperation,
  effect: Effect,
  order: number,
) {
  const { account, muxed, type, details } = effect;
  const token = `${operation.id}-${order}`;
  return {
    token,
    resource: {
      _links: {
        operation: links.to(`/operations/${operation.id}`),
        succeeds: links.to(`/effects?order=desc&cursor=${token}`),
        precedes: links.to(`/effects?order=asc&cursor=${token}`),
      },
      id: `${String(operation.id).padStart(19, '0')}-${String(order).padStart(10, '0')}`,
      paging_token: token,
      account,
      account_muxed: muxed?.address,
      account_muxed_id: muxed?.id,
      type,
      type_i: EFFECT_TYPES[type],
      created_at: timeText(operation.ledger.closeTime),
      ...details,
    },
  };
}
