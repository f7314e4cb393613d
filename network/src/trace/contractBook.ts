import { createHash } from 'node:crypto';
import type { xdr } from '@stellar/stellar-sdk';
import { EARLIER_MODULE_HASHES, MODULE_HASHES } from '../../../common/moduleHashes.ts';
import { decodeStrKey, encodeStrKey } from '../../../common/strKey.ts';
import { USDC_ISSUER } from '../../../common/testnetAssets.ts';
import { type LedgerState, RecentMap } from '../state/index.ts';
import { ASSET_INTERFACE } from './assetInterface.ts';
import { findCode, findInstance } from './contractInstance.ts';
import { type ContractInterface, contractInterface, NO_INTERFACE } from './contractInterface.ts';

/** What is known about a contract. */
export interface KnownContract {
  /** `C…` */
  readonly id: string;
  /** `USDC`, `smart account`; null if it has no name. */
  readonly name: string | null;
  /** The asset code, if this is an asset contract; null for other contracts. */
  readonly asset: string | null;
  readonly interface: ContractInterface;
}

/** Looks up what is known about a contract. */
export type ContractBook = (id: string) => KnownContract;

/** How many interfaces are cached, by the hash of their module. */
const REMEMBERED = 64;
const interfaces = new RecentMap<string, ContractInterface>(REMEMBERED);

const NAMES: ReadonlyMap<string, string> = new Map(
  [...Object.entries(MODULE_HASHES), ...Object.entries(EARLIER_MODULE_HASHES)].flatMap(
    ([name, hashes]) => [hashes].flat().map((hash): [string, string] => [hash, wordsOf(name)]),
  ),
);

function wordsOf(name: string): string {
  return name.replaceAll('-', ' ');
}

/** Looks up contracts in the state, reading each only once. */
export function contractBook(state: LedgerState): ContractBook {
  const known = new Map<string, KnownContract>();
  return (id) => {
    let contract = known.get(id);
    if (contract === undefined) {
      contract = readContract(state, id);
      known.set(id, contract);
    }
    return contract;
  };
}

function readContract(state: LedgerState, id: string): KnownContract {
  const unknown = { id, name: null, asset: null, interface: NO_INTERFACE };
  const bytes = decodeStrKey('contract', id);
  const instance = bytes && findInstance(state, bytes)?.instance;
  if (instance === undefined) return unknown;
  const { executable } = instance;
  if (executable.type === 'contractExecutableStellarAsset') {
    const asset = assetOf(instance);
    return {
      id,
      name: asset?.name ?? null,
      asset: asset?.code ?? null,
      interface: ASSET_INTERFACE,
    };
  }
  if (executable.type !== 'contractExecutableWasm') return unknown;
  const hash = executable.wasmHash.value;
  const name = NAMES.get(Buffer.from(hash).toString('hex')) ?? null;
  return { id, name, asset: null, interface: interfaceOf(state, hash) };
}

function interfaceOf(state: LedgerState, hash: Uint8Array): ContractInterface {
  const known = interfaces.get(Buffer.from(hash).toString('hex'));
  if (known !== undefined) return known;
  const code = findCode(state, hash)?.code;
  if (code === undefined) return NO_INTERFACE;
  const found = contractInterface(code);
  interfaces.set(createHash('sha256').update(code).digest('hex'), found);
  return found;
}

/** The asset in an asset contract's instance (`assetContractEntry`). */
function assetOf({ storage }: xdr.ScContractInstance): { name: string; code: string } | undefined {
  for (const { key, val } of storage ?? []) {
    if (symbolIn(key) !== 'AssetInfo' || val.type !== 'scvVec') continue;
    const [kind, info] = val.vec ?? [];
    if (kind?.type === 'scvSymbol' && kind.sym.toString() === 'Native') {
      return { name: 'XLM', code: 'XLM' };
    }
    if (info?.type !== 'scvMap') continue;
    const field = (name: string): xdr.ScVal | undefined =>
      info.map?.find((one) => one.key.type === 'scvSymbol' && one.key.sym.toString() === name)?.val;
    const [code, issuer] = [field('asset_code'), field('issuer')];
    if (code?.type !== 'scvString' || issuer?.type !== 'scvBytes') continue;
    const text = code.str.toString().replace(/[^A-Za-z0-9]/g, '');
    const by = encodeStrKey('account', issuer.bytes.value);
    // Anybody can issue an asset with any code, so only the network's own USDC is named without its issuer.
    return text === 'USDC' && by === USDC_ISSUER
      ? { name: text, code: text }
      : { name: `${text} of ${shortId(by)}`, code: `${text} of ${shortId(by)}` };
  }
  return undefined;
}

function symbolIn(key: xdr.ScVal): string | undefined {
  const [tag] = key.type === 'scvVec' ? (key.vec ?? []) : [];
  return tag?.type === 'scvSymbol' ? tag.sym.toString() : undefined;
}

/** Shortens an address or hash to its first and last characters. */
export function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id;
}
