import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../protocol/index.ts';
import {
  type Signer,
  type SignerKey,
  signerEntryKeys,
  toSigner,
  toSignerKey,
} from '../../protocol/smartAccount/index.ts';
import {
  CannotPayError,
  type KnownSigner,
  type Platform,
  type SorobanRpc,
} from '../exact/index.ts';
import { ChangeNotSeenError, type SubmitCall, signWalletCall } from '../policies/index.ts';

export interface ChangeParts {
  readonly wallet: ContractAddress;
  readonly owner: KnownSigner;
  readonly rpc: SorobanRpc;
  readonly platform: Platform;
  readonly submit: SubmitCall;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

export interface SignerChange {
  readonly remove: readonly SignerKey[];
  readonly add: readonly Signer[];
}

/** The host's error for a function that a contract does not have. */
const NO_SUCH_FUNCTION = /Error\(WasmVm, MissingValue\)/;
const LOOKS = 60;
const PAUSE_MS = 1_000;

/**
 * Changes the signers of an account, with a single signature of the owner if the account supports it. Older accounts and those
 * of passkey-kit need one signature for each changed signer.
 * @returns the hashes of the transactions
 */
export async function changeSigners(
  change: SignerChange,
  parts: ChangeParts,
): Promise<readonly string[]> {
  const vector = (values: xdr.ScVal[]) => xdr.ScVal.scvVec(values);
  const args = [vector(change.remove.map(toSignerKey)), vector(change.add.map(toSigner))];
  try {
    return [await call('change_signers', args, change, parts)];
  } catch (error) {
    // The call is simulated before the owner is asked, so nothing was signed.
    if (!(error instanceof CannotPayError && NO_SUCH_FUNCTION.test(error.detail))) throw error;
  }
  const hashes: string[] = [];
  for (const key of change.remove) {
    hashes.push(await call('remove_signer', [toSignerKey(key)], { remove: [key], add: [] }, parts));
  }
  for (const signer of change.add) {
    hashes.push(await call('add_signer', [toSigner(signer)], { remove: [], add: [signer] }, parts));
  }
  return hashes;
}

async function call(
  name: string,
  args: readonly xdr.ScVal[],
  change: SignerChange,
  parts: ChangeParts,
): Promise<string> {
  const signed = await signWalletCall(parts.wallet, name, args, parts);
  const submitted = await parts.submit(signed);
  const hash = typeof submitted === 'string' ? submitted : submitted.hash;
  if (await isMade(change, parts)) return hash;
  throw new ChangeNotSeenError(hash, signed.expirationLedger);
}

/** Waits until the ledger shows the change: the hash alone is only a claim of the submitter. */
async function isMade(
  { remove, add }: SignerChange,
  { wallet, rpc, sleep }: ChangeParts,
): Promise<boolean> {
  const added = add.map(({ key }) => key);
  const names = (key: SignerKey) =>
    JSON.stringify(key, (_, value: unknown) => (value instanceof Uint8Array ? [...value] : value));
  const kept = new Set(added.map(names));
  const removed = remove.filter((key) => !kept.has(names(key)));
  for (let look = 0; look < LOOKS; look++) {
    const there = await Promise.all(added.map((key) => has(wallet, key, rpc)));
    const gone = await Promise.all(removed.map(async (key) => !(await has(wallet, key, rpc))));
    if ([...there, ...gone].every(Boolean)) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

async function has(wallet: ContractAddress, key: SignerKey, rpc: SorobanRpc): Promise<boolean> {
  const keys = signerEntryKeys(wallet, key).map((entry) => entry.toXdr('base64'));
  const { entries } = await rpc.entries(keys);
  return entries.some((entry) => keys.includes(entry.key));
}
