import { type AccountAddress, type ContractAddress, decodeStrKey } from '../../protocol/index.ts';
import type { SorobanRpc } from '../exact/index.ts';
import { type LedgerSpendingLimit, PolicyMismatchError, readPolicy } from '../policies/index.ts';
import { readKey, type StoredKey } from './agentSigner.ts';

/** How much of one asset the ledger allows a smart account's key to spend. */
export type LimitedKey =
  | { readonly state: 'revoked' | 'expired' }
  /** The ledger does not limit how much of the asset it spends. */
  | { readonly state: 'unlimited' }
  /** It may not spend the asset at all. */
  | { readonly state: 'other_assets' }
  | { readonly state: 'limited'; readonly limits: readonly LedgerSpendingLimit[] };

/**
 * Reads a key's limit from the ledger alone. A policy counts only if it runs a known module, is for this
 * account and this asset, and must agree to the key's calls of the asset.
 * @throws RpcFailedError
 */
export async function readLimitedKey(
  wallet: ContractAddress,
  key: AccountAddress,
  asset: ContractAddress,
  rpc: SorobanRpc,
): Promise<LimitedKey> {
  const publicKey = decodeStrKey('account', key) ?? new Uint8Array();
  const { latestLedger, stored } = await readKey(wallet, publicKey, rpc);
  if (stored === undefined) return { state: 'revoked' };
  const { expirationLedger, grants } = stored;
  if (expirationLedger !== null && latestLedger > expirationLedger) return { state: 'expired' };
  if (grants === null) return { state: 'unlimited' };
  if (!grants.has(asset)) return { state: 'other_assets' };
  const limits: LedgerSpendingLimit[] = [];
  for (const contract of approversOf(stored, asset)) {
    const policy = await readPolicy(contract, rpc).catch((error: unknown) => {
      // The behavior of another module is unknown, so it does not count as a limit.
      if (error instanceof PolicyMismatchError) return undefined;
      throw error;
    });
    if (policy?.type !== 'spending_limit' || policy.wallet !== wallet) continue;
    if (policy.asset === asset) limits.push(policy);
  }
  return limits.length === 0 ? { state: 'unlimited' } : { state: 'limited', limits };
}

function approversOf({ grants }: StoredKey, asset: ContractAddress): readonly ContractAddress[] {
  return (grants?.get(asset) ?? []).flatMap((key) => (key.kind === 'policy' ? [key.policy] : []));
}
