import * as xdr from '@stellar/stellar-sdk/xdr';
import { contractAddressOf, readI128, readScAddress } from '../../protocol/stellar/index.ts';
import { t } from '../words/index.ts';

/** A transaction's event as text. */
export interface DecodedEvent {
  readonly contract: string | undefined;
  /** The event's name and subject. */
  readonly topics: readonly string[];
  readonly data: string;
}

/**
 * Returns a transaction's events in order: the fee, which is charged first and partly refunded at the end, and the operation's
 * events in between (CAP-67).
 * @param meta base64 XDR of the transaction's meta; throws for anything else
 */
export function decodeEvents(meta: string): readonly DecodedEvent[] {
  const decoded = xdr.TransactionMeta.fromXdr(meta, 'base64');
  if (decoded.type === 'v3') return (decoded.v3.sorobanMeta?.events ?? []).map(decode);
  if (decoded.type !== 'v4') return [];
  const { events, operations } = decoded.v4;
  const first = events.filter(({ stage }) => stage.name === 'transactionEventStageBeforeAllTxs');
  const last = events.filter(({ stage }) => stage.name !== 'transactionEventStageBeforeAllTxs');
  return [
    ...first.map(({ event }) => event),
    ...operations.flatMap((operation) => operation.events),
    ...last.map(({ event }) => event),
  ].map(decode);
}

function decode({ contractId, body }: xdr.ContractEvent): DecodedEvent {
  const { topics, data } = body.v0;
  return {
    contract: contractId === null ? undefined : contractAddressOf(contractId.value),
    topics: topics.map(wordsOf),
    data: wordsOf(data),
  };
}

/** A Soroban value as text; rare types appear only by name. */
function wordsOf(value: xdr.ScVal): string {
  switch (value.type) {
    case 'scvAddress':
      return readScAddress(value.address) ?? t('another type of address');
    case 'scvSymbol':
      return value.sym.toString();
    case 'scvString':
      return JSON.stringify(value.str.toString());
    case 'scvBool':
      return String(value.b);
    case 'scvVoid':
      return 'nothing';
    case 'scvU32':
      return String(value.u32);
    case 'scvI32':
      return String(value.i32);
    case 'scvU64':
      return String(value.u64);
    case 'scvI64':
      return String(value.i64);
    case 'scvI128':
      return String(readI128(value) ?? value.type);
    case 'scvBytes':
      return Buffer.from(value.bytes.value).toString('hex');
    case 'scvVec':
      return `[${(value.vec ?? []).map(wordsOf).join(', ')}]`;
    case 'scvMap':
      return `{ ${(value.map ?? []).map(({ key, val }) => `${wordsOf(key)}: ${wordsOf(val)}`).join(', ')} }`;
    default:
      return value.type.replace('scv', '');
  }
}
