import * as xdr from '@stellar/stellar-sdk/xdr';
import { type AccountAddress, type ContractAddress, decodeStrKey } from '../../protocol/index.ts';
import {
  keyStanding,
  readKeyLimits,
  type SignerKey,
  signerEntryKeys,
  signerParts,
} from '../../protocol/smartAccount/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import type { KeyPolicy } from '../policies/index.ts';
import { readContractData, rpcCaller } from './rpcCall.ts';

/**
 * Reads from the ledger which of a gateway's limits a smart account holds, because an account has no list of its keys. Anything
 * that is not such a limit is omitted.
 * @param signers what `add_signer` takes (base64 XDR), by the gateway's ids
 * @throws ReadError if the RPC does not respond, or its response is invalid
 */
export async function readKeyPolicies(
  rpcUrl: string,
  wallet: ContractAddress,
  signers: ReadonlyMap<string, string>,
  transport: HttpTransport,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, KeyPolicy>> {
  const wanted = [...signers].flatMap(([id, text]) => {
    const signer = parse(text);
    const limits = signer && readKeyLimits(signer);
    const value = signer && signerParts(signer)?.value.toXdr('base64');
    return limits === undefined ? [] : [{ id, limits, value }];
  });
  const keys = [...new Set(wanted.flatMap(({ limits }) => [limits.key, ...limits.coSigners]))];
  if (keys.length === 0) return new Map();
  const entries = keys.flatMap((key) => signerEntryKeys(wallet, ed25519(key)));
  const data = await readContractData(entries, rpcCaller(rpcUrl, transport, signal));
  const stored = new Map(
    keys.map((key, index) => [key, data[2 * index] ?? data[2 * index + 1]] as const),
  );
  return new Map(
    wanted.map(({ id, limits, value }) => {
      const held = stored.get(limits.key);
      return [
        id,
        {
          ...limits,
          held: held === undefined ? 'no' : held.toXdr('base64') === value ? 'yes' : 'other',
          coSigners: limits.coSigners.map((key) => ({
            key,
            standing: keyStanding(stored.get(key)),
          })),
        },
      ];
    }),
  );
}

/** `undefined` for text that is not a value, so that a gateway's mistake does not break the rest of the view. */
function parse(text: string): xdr.ScVal | undefined {
  try {
    return xdr.ScVal.fromXdr(text, 'base64');
  } catch {
    return undefined;
  }
}

function ed25519(key: AccountAddress): SignerKey {
  const publicKey = decodeStrKey('account', key);
  if (publicKey === undefined) throw new TypeError('a branded address always decodes');
  return { kind: 'ed25519', publicKey };
}
