import * as xdr from '@stellar/stellar-sdk/xdr';
import { z } from 'zod';
import type { ContractAddress, StellarAddress } from '../../protocol/index.ts';
import { toScAddress } from '../../protocol/stellar/index.ts';
import { callAndRead, type RpcCall } from './rpcCall.ts';

const METHOD = 'getEvents';
/** One account moves an asset a few times in a ledger at most. */
const MOST = 1_000;
const schema = z.object({ events: z.array(z.object({ txHash: z.string() })) });

/** Transactions of one ledger that moved an asset from an account, by their hashes. */
export async function getTransferHashes(
  call: RpcCall,
  { asset, from, ledger }: { asset: ContractAddress; from: StellarAddress; ledger: number },
): Promise<readonly string[]> {
  const transfer = xdr.ScVal.scvSymbol('transfer').toXdr('base64');
  const sender = xdr.ScVal.scvAddress(toScAddress(from)).toXdr('base64');
  const params = {
    startLedger: ledger,
    endLedger: ledger + 1,
    filters: [{ type: 'contract', contractIds: [asset], topics: [[transfer, sender, '**']] }],
    pagination: { limit: MOST },
  };
  const { events } = await callAndRead(call, METHOD, params, schema);
  return events.map(({ txHash }) => txHash);
}
