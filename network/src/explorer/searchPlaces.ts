import { Asset, xdr } from '@stellar/stellar-sdk';
import { contractAddressOf } from '../../../common/scAddress.ts';
import { decodeStrKey } from '../../../common/strKey.ts';
import { USDC_ISSUER } from '../../../common/testnetAssets.ts';
import { ENTRY_TYPES, type StateFollower, type StateIndexes } from '../horizon/index.ts';
import { accountKeyId, type LedgerKeyId, type LedgerState } from '../state/index.ts';
import { type AddressNames, findInstance } from '../trace/index.ts';
import { assetContractId } from '../transaction/events/index.ts';

/** Maximum number of characters in a search, and of places found. */
const MAX_TEXT = 100;
const MAX_PLACES = 20;
/** Maximum number of contracts whose code is compared with a hash. */
const MAX_CONTRACTS = 2_000;

/** A page that a search leads to. */
export interface FoundPlace {
  readonly kind: 'account' | 'contract';
  readonly id: string;
  readonly name: string;
}

export interface SearchedNetwork {
  readonly networkId: Uint8Array;
  readonly state: LedgerState;
  readonly indexes: StateIndexes;
  /** Names of accounts. */
  readonly names: AddressNames;
  /** Names of contracts, by their addresses. */
  readonly contracts: AddressNames;
}

/** Indexes the ids of all contracts. */
class ContractInstances implements StateFollower {
  readonly types = [ENTRY_TYPES.contractData];
  readonly ids = new Set<LedgerKeyId>();

  add(id: LedgerKeyId): void {
    if (isInstance(id)) this.ids.add(id);
  }

  remove(id: LedgerKeyId): void {
    this.ids.delete(id);
  }
}

/** Keys of instances: type, kind and bytes of the address, the value `ledger key contract instance`, durability. */
function isInstance(id: LedgerKeyId): boolean {
  return id.length === 48 && id.startsWith('\0\0\0\x06\0\0\0\x01') && id.charCodeAt(43) === 20;
}

/**
 * Finds accounts and contracts by a name of this network, an asset (`CODE:ISSUER`, `XLM`, `USDC`), or the hash of a contract's
 * code. Hashes of transactions, ledgers and addresses need no search, because each has its own page.
 */
export function searchPlaces(network: SearchedNetwork, text: string): FoundPlace[] {
  const wanted = text.trim().slice(0, MAX_TEXT);
  if (wanted === '') return [];
  if (/^[0-9a-f]{64}$/i.test(wanted)) return contractsOfCode(network, wanted.toLowerCase());
  const asset = assetPlace(network, wanted);
  const word = wanted.toLowerCase();
  const named = (kind: FoundPlace['kind'], names: AddressNames): FoundPlace[] =>
    [...names]
      .filter(([, name]) => name.toLowerCase().includes(word))
      .map(([id, name]) => ({ kind, id, name }));
  return [
    ...(asset === undefined ? [] : [asset]),
    ...named('contract', network.contracts),
    ...named('account', network.names),
  ].slice(0, MAX_PLACES);
}

function assetPlace({ networkId, state }: SearchedNetwork, text: string): FoundPlace | undefined {
  const asset = assetOf(text);
  if (asset === undefined) return undefined;
  const id = assetContractId(networkId, asset.toXdrObject());
  if (findInstance(state, id.value) !== undefined) {
    return { kind: 'contract', id: contractAddressOf(id.value), name: `contract of ${text}` };
  }
  const [, issuer = ''] = text.split(':');
  const key = decodeStrKey('account', issuer);
  const known = key && state.peek(accountKeyId(xdr.PublicKey.publicKeyTypeEd25519(key)));
  return known && { kind: 'account', id: issuer, name: `issuer of ${text}` };
}

function assetOf(text: string): Asset | undefined {
  if (/^(?:xlm|native)$/i.test(text)) return Asset.native();
  if (/^usdc$/i.test(text)) return new Asset('USDC', USDC_ISSUER);
  const [, code = '', issuer = ''] = /^([A-Za-z0-9]{1,12}):(G[A-Z2-7]{55})$/.exec(text) ?? [];
  return decodeStrKey('account', issuer) && new Asset(code, issuer);
}

function contractsOfCode(
  { state, indexes, contracts }: SearchedNetwork,
  hash: string,
): FoundPlace[] {
  const places: FoundPlace[] = [];
  let left = MAX_CONTRACTS;
  for (const key of indexes.get(ContractInstances).ids) {
    if (left === 0 || places.length === MAX_PLACES) break;
    left -= 1;
    const bytes = Buffer.from(key.slice(8, 40), 'latin1');
    const executable = findInstance(state, bytes)?.instance.executable;
    if (executable?.type !== 'contractExecutableWasm') continue;
    if (Buffer.from(executable.wasmHash.value).toString('hex') !== hash) continue;
    const id = contractAddressOf(bytes);
    places.push({ kind: 'contract', id, name: contracts.get(id) ?? 'contract with this code' });
  }
  return places;
}
