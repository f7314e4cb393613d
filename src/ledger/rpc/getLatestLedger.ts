import type { RpcNetwork } from './rpcNetwork.ts';
import { base64Xdr } from './xdrFormat.ts';

export function getLatestLedger({ service: { history } }: RpcNetwork): unknown {
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
