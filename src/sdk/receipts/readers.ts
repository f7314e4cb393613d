import * as xdr from '@stellar/stellar-sdk/xdr';
import { parseStellarAddress } from '../../protocol/index.ts';
import { KEY_ENTRIES, MAX_DOCUMENT } from '../../protocol/receipts/index.ts';
import { accountKey, addressBytes } from '../../protocol/stellar/index.ts';
import { connectRpc, fetchTransport, type SorobanRpc } from '../exact/index.ts';
import type { NamingAccount, ReceiptReaders } from './judgeReceipt.ts';

type Fetch = typeof globalThis.fetch;

type Readers<Name extends keyof ReceiptReaders> = {
  readonly [Each in Name]: NonNullable<ReceiptReaders[Each]>;
};

/** How long a document may take. */
const READ_WITHIN_MS = 5_000;

/**
 * Reads the documents that name keys from the web: `did.json` of an origin, `stellar.toml` of a home domain. Over HTTPS alone,
 * without redirects, at most 100 KiB and five seconds each.
 */
export function webReaders(
  fetch: Fetch = globalThis.fetch,
): Readers<'didDocument' | 'stellarToml'> {
  const textAt = (url: string): Promise<string | undefined> => readBounded(fetch, url);
  return {
    async didDocument(origin) {
      const text = await textAt(`${origin}/.well-known/did.json`);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    stellarToml: (domain) => textAt(`https://${domain}/.well-known/stellar.toml`),
  };
}

/** @returns `undefined` if there is no such document @throws if it cannot be read, or is too long */
async function readBounded(fetch: Fetch, url: string): Promise<string | undefined> {
  const { protocol } = new URL(url);
  if (protocol !== 'https:') throw new Error('only documents over HTTPS name keys');
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(READ_WITHIN_MS),
  });
  try {
    if (response.status === 404 || response.status === 410) return undefined;
    if (response.status !== 200 || response.body === null) throw new Error('no document');
    const decoder = new TextDecoder();
    let text = '';
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += decoder.decode(piece.value, { stream: true });
      if (text.length > MAX_DOCUMENT) {
        await reader.cancel();
        throw new Error('the document is too long');
      }
    }
    return text + decoder.decode();
  } finally {
    if (!response.body?.locked) await response.body?.cancel().catch(() => undefined);
  }
}

/** Reads accounts and transactions from a Stellar RPC server. */
export function ledgerReaders(
  rpcUrl: string,
  fetch: Fetch = globalThis.fetch,
): Readers<'account' | 'transaction'> {
  const rpc = connectRpc(
    rpcUrl,
    fetchTransport((input, init) =>
      fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(READ_WITHIN_MS) }),
    ),
  );
  return {
    account: (address) => readAccount(rpc, address),
    transaction: (hash) => rpc.transaction(hash),
  };
}

/** Reads an account and the entries that name keys, in one request. */
async function readAccount(rpc: SorobanRpc, text: string): Promise<NamingAccount | undefined> {
  const address = parseStellarAddress(text);
  if (address === undefined || !text.startsWith('G')) return undefined;
  const publicKey = new Uint8Array(addressBytes(address).subarray(-32));
  const accountId = xdr.PublicKey.publicKeyTypeEd25519(publicKey);
  const keys = [
    accountKey({ publicKey }),
    ...KEY_ENTRIES.map((dataName) =>
      xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId, dataName })),
    ),
  ].map((key) => key.toXdr('base64'));
  const { entries } = await rpc.entries(keys);
  const read = entries.map(({ data }) => xdr.LedgerEntryData.fromXdr(data, 'base64'));
  const account = read.find((entry) => entry.type === 'account');
  if (account?.type !== 'account') return undefined;
  return {
    homeDomain: account.account.homeDomain.toString(),
    entries: read.flatMap((entry) =>
      entry.type === 'data' ? [new TextDecoder().decode(entry.data.dataValue.value)] : [],
    ),
  };
}
