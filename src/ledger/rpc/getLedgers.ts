import { xdr } from '@stellar/stellar-sdk';
import type { ClosedLedger } from '../history/index.ts';
import { type RangeFields, rangeFields, rangeOf } from './ledgerRange.ts';
import { LIMITS } from './limits.ts';
import { type Page, pageOf } from './pagination.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { formatOf, type XdrFormat, xdrField } from './xdrFormat.ts';

/** Result of `getLedgers`. */
export interface LedgersResult<F extends XdrFormat = XdrFormat> extends RangeFields {
  readonly ledgers: readonly LedgerInfo<F>[];
  readonly cursor: string;
}

type LedgerInfo<F extends XdrFormat> = {
  readonly hash: string;
  readonly sequence: number;
  /** Seconds since 1970. */
  readonly ledgerCloseTime: string;
  /** This field and the next are empty in JSON format: Stellar RPC never omits them. */
  readonly headerXdr: string;
  readonly metadataXdr: string;
} & (F extends 'base64'
  ? unknown
  : { readonly headerJson: unknown; readonly metadataJson: unknown });

/** @throws RpcError */
export function getLedgers({ service: { history } }: RpcNetwork, params: RpcParams): LedgersResult {
  const page = pageOf(params, rangeOf(history), LIMITS.ledgers);
  const start = startOf(page, rangeOf(history));
  const format = formatOf(params);
  const ledgers = [...history.ledgers(start, start + page.limit - 1)];
  const last = ledgers.at(-1)?.sequence ?? start - 1;
  return {
    ledgers: ledgers.map((ledger) => ledgerInfo(ledger, format)),
    ...rangeFields(history),
    cursor: String(last),
  };
}

function startOf(page: Page, { first, last }: { first: number; last: number }): number {
  if (page.cursor === '') return page.startLedger;
  if (!/^\d+$/.test(page.cursor)) {
    throw new RpcError('invalidParams', `cursor '${page.cursor}' is not a ledger sequence`);
  }
  const start = Number(page.cursor) + 1;
  if (start >= first && start <= last) return start;
  throw new RpcError(
    'invalidParams',
    `cursor ('${page.cursor}') must be between the oldest ledger: ${first} and the latest ledger: ${last} for this rpc instance`,
  );
}

function ledgerInfo(ledger: ClosedLedger, format: XdrFormat): LedgerInfo<XdrFormat> {
  const { hash, sequence, closeTime, meta, bytes } = ledger;
  return {
    hash,
    sequence,
    ledgerCloseTime: String(closeTime),
    headerXdr: '',
    metadataXdr: '',
    ...xdrField(format, ['headerXdr', 'headerJson'], meta.ledgerHeader),
    ...(format === 'json'
      ? { metadataJson: xdr.LedgerCloseMeta.v2(meta).toJson() }
      : { metadataXdr: Buffer.from(bytes).toString('base64') }),
  };
}
