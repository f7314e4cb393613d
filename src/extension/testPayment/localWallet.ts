import * as xdr from '@stellar/stellar-sdk/xdr';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { TestFailure } from '../request/index.ts';
import { t } from '../words/index.ts';
import { connectTestNetwork } from './rpcSubmit.ts';
import { type StoredKey, storedKey } from './throwawayKey.ts';
import { usdcLine } from './usdc.ts';

/**
 * Creates an account on the embedded network that can be paid: funded, with a trustline to USDC.
 * @returns its address, and its secret for the editor's secret storage
 */
export async function createLocalWallet(
  rpcUrl: string,
  friendbotUrl: string,
  transport: HttpTransport,
  signal: AbortSignal,
): Promise<Pick<StoredKey, 'address' | 'secret'>> {
  const key = storedKey();
  const { status } = await transport({
    method: 'GET',
    url: `${friendbotUrl}?addr=${key.address}`,
    signal,
  });
  if (status !== 200) throw new TestFailure('funding_failed', t('it responded with {0}', status));
  const open = xdr.OperationBody.changeTrust(
    new xdr.ChangeTrustOp({ line: usdcLine(), limit: 2n ** 63n - 1n }),
  );
  await connectTestNetwork(rpcUrl, transport, 50).submit(key, [open], signal);
  return { address: key.address, secret: key.secret };
}
