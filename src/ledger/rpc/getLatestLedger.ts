import type { RpcNetwork } from './rpcNetwork.ts';

export function getLatestLedger({ service: { history } }: RpcNetwork): unknown {
  const { hash, header, sequence, closeTime, bytes } = history.latest;
  return {
    id: hash,
    protocolVersion: header.ledgerVersion,
    sequence,
    closeTime: String(closeTime),
    headerXdr: header.toXdr('base64'),
    metadataXdr: Buffer.from(bytes).toString('base64'),
  };
}
