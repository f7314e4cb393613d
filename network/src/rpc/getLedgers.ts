import { xdr } from '@stellar/stellar-sdk';
import type { ClosedLedger } from '../history/index.ts';
import { type RangeFields, rangeFields, rangeOf } from './ledgerRange.ts';
import { LIMITS } from './limits.ts';
import { PageSize } from './pageSize.ts';
import { type Page, pageOf } from './pagination.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { base64Text, base64Xdr, formatOf, type XdrFormat } from './xdrFormat.ts';

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
  /** This field and the next are empty in JSON format, because Stellar RPC never omits them. */
  readonly headerXdr: string;
  readonly metadataXdr: string;
} & (F extends 'base64'
  ? unknown
  : { readonly headerJson: unknown; readonly metadataJson: unknown });

/** @throws RpcError */
export async function getLedgers(
  { service: { history }, spend, pause }: RpcNetwork,
  params: RpcParams,
): Promise<LedgersResult> {
  const range = rangeOf(history);
  const page = pageOf(params, range, LIMITS.ledgers);
  const start = startOf(page, range);
  const format = formatOf(params);
  const fields = rangeFields(history);
  const size = new PageSize(format, spend);
  const ledgers: LedgerInfo<XdrFormat>[] = [];
  const end = Math.min(start + page.limit - 1, range.last);
  for (let sequence = start; sequence <= end && !size.full; sequence += 1) {
    await pause();
    const ledger = history.ledger(sequence);
    if (ledger === undefined) break;
    ledgers.push(ledgerInfo(ledger, format));
    size.add(ledger.bytes.length);
  }
  return { ledgers, ...fields, cursor: String(start + ledgers.length - 1) };
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
  const { hash, sequence, closeTime, bytes } = ledger;
  return {
    hash,
    sequence,
    ledgerCloseTime: String(closeTime),
    headerXdr: '',
    metadataXdr: '',
    ...(format === 'json'
      ? {
          headerJson: ledger.headerEntry.toJson(),
          metadataJson: xdr.LedgerCloseMeta.v2(ledger.meta).toJson(),
        }
      : { headerXdr: base64Text(ledger.headerXdr), metadataXdr: base64Text(bytes) }),
  };
}

/** Result of `getLatestLedger`. */
interface LatestLedgerResult {
  readonly id: string;
  readonly protocolVersion: number;
  readonly sequence: number;
  /** Seconds since 1970. */
  readonly closeTime: string;
  readonly headerXdr: string;
  readonly metadataXdr: string;
}

export function getLatestLedger({ service: { history } }: RpcNetwork): LatestLedgerResult {
  const { hash, header, sequence, closeTime, bytes } = history.latest;
  return {
    id: hash,
    protocolVersion: header.ledgerVersion,
    sequence,
    closeTime: String(closeTime),
    headerXdr: base64Xdr(header),
    metadataXdr: Buffer.from(bytes).toString('base64'),
  };
}
