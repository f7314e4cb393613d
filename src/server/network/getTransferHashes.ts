import * as xdr from '@stellar/stellar-sdk/xdr';
import { z } from 'zod';
import type { ContractAddress, StellarAddress } from '../../protocol/index.ts';
import { toScAddress } from '../../protocol/stellar/index.ts';
import { callAndRead, type RpcCall } from './rpcCall.ts';

const METHOD = 'getEvents';
/** Maximum number of events to read: an account rarely moves an asset more than a few times in one ledger. */
const MOST = 1_000;
const schema = z.object({ events: z.array(z.object({ txHash: z.string() })) });

/** Returns the hashes of transactions in one ledger that moved an asset from an account. */
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
