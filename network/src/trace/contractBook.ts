import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { EARLIER_MODULE_HASHES, MODULE_HASHES } from '../../../common/moduleHashes.ts';
import { decodeStrKey, encodeStrKey } from '../../../common/strKey.ts';
import { USDC_ISSUER } from '../../../common/testnetAssets.ts';
import { type LedgerState, ledgerKeyId, RecentMap, storedEntry } from '../state/index.ts';
import {
  type ContractInterface,
  contractInterface,
  type FunctionInput,
  type NamedError,
  NO_INTERFACE,
} from './contractInterface.ts';

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

const T = xdr.ScSpecTypeDef;
const TYPES = {
  address: T.scSpecTypeAddress(),
  // For a recipient that can be a multiplexed account (CAP-67).
  party: T.scSpecTypeMuxedAddress(),
  i128: T.scSpecTypeI128(),
  u32: T.scSpecTypeU32(),
  bool: T.scSpecTypeBool(),
  string: T.scSpecTypeString(),
} as const;

type TypeName = keyof typeof TYPES;

/** Functions of a Stellar Asset Contract: name, inputs, result (CAP-46-06, SEP-41; protocol 28 adds `trust`). */
const FUNCTIONS: Readonly<
  Record<string, readonly [Readonly<Record<string, TypeName>>, TypeName?]>
> = {
  allowance: [{ from: 'address', spender: 'address' }, 'i128'],
  approve: [{ from: 'address', spender: 'address', amount: 'i128', expiration_ledger: 'u32' }],
  balance: [{ id: 'address' }, 'i128'],
  authorized: [{ id: 'address' }, 'bool'],
  transfer: [{ from: 'address', to: 'party', amount: 'i128' }],
  transfer_from: [{ spender: 'address', from: 'address', to: 'address', amount: 'i128' }],
  burn: [{ from: 'address', amount: 'i128' }],
  burn_from: [{ spender: 'address', from: 'address', amount: 'i128' }],
  clawback: [{ from: 'address', amount: 'i128' }],
  set_authorized: [{ id: 'address', authorize: 'bool' }],
  mint: [{ to: 'address', amount: 'i128' }],
  set_admin: [{ new_admin: 'address' }],
  admin: [{}, 'address'],
  decimals: [{}, 'u32'],
  name: [{}, 'string'],
  symbol: [{}, 'string'],
  trust: [{ addr: 'address' }],
};

/** Errors of the contracts that are built into the host (soroban-env-host `builtin_contracts/contract_error.rs`). */
const ERRORS: Readonly<Record<number, readonly [string, string]>> = {
  2: ['OperationNotSupportedError', 'the asset does not support this operation'],
  3: ['AlreadyInitializedError', 'the asset contract already exists'],
  4: ['UnauthorizedError', 'the caller is not allowed to do this'],
  5: ['AuthenticationError', 'a signature of the account is missing or wrong'],
  6: ['AccountMissingError', 'the account does not exist'],
  7: ['AccountIsNotClassic', 'the address is not an account'],
  8: ['NegativeAmountError', 'the amount is negative'],
  9: ['AllowanceError', 'the allowance is too small or has expired'],
  10: ['BalanceError', 'the balance is too small, or would exceed its limit'],
  11: ['BalanceDeauthorizedError', 'the issuer has frozen the balance'],
  12: ['OverflowError', 'a number is too large'],
  13: ['TrustlineMissingError', 'the account has no trustline to the asset'],
  14: ['InsufficientAccountReserve', 'the account does not have enough XLM for its reserve'],
  15: ['TooManyAccountSubentries', 'the account has too many subentries'],
};

/** The interface of every Stellar Asset Contract, which is built into the host and not declared by a module. */
const ASSET_INTERFACE: ContractInterface = {
  functions: new Map(
    Object.entries(FUNCTIONS).map(([name, [inputs]]): [string, readonly FunctionInput[]] => [
      name,
      Object.entries(inputs).map(([input, type]) => ({ name: input, type: TYPES[type] })),
    ]),
  ),
  results: new Map(
    Object.entries(FUNCTIONS).flatMap(([name, [, result]]) =>
      result === undefined ? [] : [[name, TYPES[result]] as const],
    ),
  ),
  types: new Map(),
  errors: new Map(
    Object.entries(ERRORS).map(([code, [name, doc]]): [number, NamedError] => [
      Number(code),
      { name, doc },
    ]),
  ),
};

/** The instance of a contract, and its TTL. */
interface FoundInstance {
  readonly instance: xdr.ScContractInstance;
  /** The last ledger in which it is live; 0 once it is archived. */
  readonly liveUntil: number;
}

/** The code of a contract, and its TTL. */
interface FoundCode {
  readonly code: Uint8Array;
  /** The last ledger in which it is live; 0 once it is archived. */
  readonly liveUntil: number;
}

/** @param id the 32 bytes of a contract's id */
export function findInstance(state: LedgerState, id: Uint8Array): FoundInstance | undefined {
  const key = xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(id)),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent,
    }),
  );
  const found = storedEntry(state, ledgerKeyId(key));
  if (found?.entry.data.type !== 'contractData') return undefined;
  const { val } = found.entry.data.contractData;
  return val.type === 'scvContractInstance'
    ? { instance: val.instance, liveUntil: found.liveUntil ?? 0 }
    : undefined;
}

/** @param hash SHA-256 of the code */
export function findCode(state: LedgerState, hash: Uint8Array): FoundCode | undefined {
  const key = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash }));
  const found = storedEntry(state, ledgerKeyId(key));
  if (found?.entry.data.type !== 'contractCode') return undefined;
  return { code: found.entry.data.contractCode.code, liveUntil: found.liveUntil ?? 0 };
}
