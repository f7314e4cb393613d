import { xdr } from '@stellar/stellar-sdk';
import { ReplayError } from './replayError.ts';

const LENGTH_BYTES = 4;
/** Set in the length of every record that is the last fragment of its message: all of them. */
const LAST_FRAGMENT = 0x8000_0000;

/**
 * The ledgers of a file: `LedgerCloseMeta` records framed as an XDR stream (RFC 5531), each preceded by its length.
 *
 * @throws ReplayError `bad_framing`, `bad_record`, `unsupported_meta`
 */
export function* closedLedgers(bytes: Uint8Array): Generator<xdr.LedgerCloseMetaV2> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    if (at + LENGTH_BYTES > bytes.length) throw new ReplayError('bad_framing', `at byte ${at}`);
    const mark = view.getUint32(at);
    const start = at + LENGTH_BYTES;
    const end = start + (mark % LAST_FRAGMENT);
    if (mark < LAST_FRAGMENT || end > bytes.length) {
      throw new ReplayError('bad_framing', `at byte ${at}`);
    }
    yield decode(bytes.subarray(start, end));
    at = end;
  }
}

function decode(bytes: Uint8Array): xdr.LedgerCloseMetaV2 {
  let meta: xdr.LedgerCloseMeta;
  try {
    meta = xdr.LedgerCloseMeta.fromXdr(bytes);
  } catch (error) {
    throw new ReplayError('bad_record', error instanceof Error ? error.message : String(error));
  }
  if (meta.type !== 'v2') throw new ReplayError('unsupported_meta', `found ${meta.type}`);
  return meta.v2;
}
