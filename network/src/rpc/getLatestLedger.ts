import type { RpcNetwork } from './rpcNetwork.ts';
import { base64Xdr } from './xdrFormat.ts';

/** Result of `getLatestLedger`. */
export interface LatestLedgerResult {
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
