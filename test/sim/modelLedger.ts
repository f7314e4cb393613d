import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { encodeStrKey, TESTNET_PASSPHRASE } from '../../src/protocol/index.ts';
import {
  type AssetMovement,
  invokedContract,
  readI128,
  readScAddress,
} from '../../src/protocol/stellar/index.ts';
import type { Random } from '../helpers/random.ts';

/** What the model reads in an envelope. */
interface ReadTransaction {
  readonly hash: string;
  readonly source: string;
  readonly sequence: bigint;
  readonly maxLedger: number;
  /** Payer and nonce; `undefined` for a transaction that moves nothing. */
  readonly authorization: string | undefined;
  /** What it asks the token to move. */
  readonly asks: AssetMovement | undefined;
}

export interface Included {
  readonly transaction: ReadTransaction;
  /** Base64 XDR. */
  readonly envelope: string;
  readonly succeeded: boolean;
  readonly ledger: number;
  /** What the token reports to have moved. */
  readonly movements: readonly AssetMovement[];
}

export type SendStatus = 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER' | { readonly error: string };

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();
const ENVELOPE_TYPE_TX = Buffer.from([0, 0, 0, 2]);
const ENVELOPE_TYPE_FEE_BUMP = Buffer.from([0, 0, 0, 5]);
/** The same few envelopes come again and again. */
const readBefore = new Map<string, ReadTransaction>();

function authorizationOf(operation: xdr.Operation | undefined): string | undefined {
  if (operation?.body.type !== 'invokeHostFunction') return undefined;
  const [entry] = operation.body.invokeHostFunctionOp.auth;
  if (entry?.credentials.type !== 'sorobanCredentialsAddress') return undefined;
  const { address, nonce } = entry.credentials.address;
  if (address.type !== 'scAddressTypeAccount') return undefined;
  const payer = encodeStrKey('account', address.accountId.ed25519.value);
  return `${payer}:${nonce}`;
}

/** The `transfer` that an operation invokes. */
function transferAskedBy(operation: xdr.Operation | undefined): AssetMovement | undefined {
  if (operation?.body.type !== 'invokeHostFunction') return undefined;
  const { hostFunction } = operation.body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return undefined;
  const [from, to, amount] = hostFunction.invokeContract.args;
  const asset = invokedContract(hostFunction.invokeContract);
  if (from?.type !== 'scvAddress' || to?.type !== 'scvAddress') return undefined;
  if (asset === undefined || amount === undefined) return undefined;
  return {
    asset,
    from: readScAddress(from.address),
    to: readScAddress(to.address),
    amount: readI128(amount) ?? 0n,
  };
}

function readInner(tx: xdr.Transaction, hash: string): ReadTransaction {
  const bounds = tx.cond.type === 'precondV2' ? tx.cond.v2.ledgerBounds : null;
  const source = tx.sourceAccount;
  if (source.type !== 'keyTypeEd25519') throw new TypeError('a muxed source');
  return {
    hash,
    source: encodeStrKey('account', source.ed25519.value),
    sequence: tx.seqNum,
    maxLedger: bounds === null || bounds.maxLedger === 0 ? Infinity : bounds.maxLedger - 1,
    authorization: authorizationOf(tx.operations[0]),
    asks: transferAskedBy(tx.operations[0]),
  };
}

function hashOf(type: Buffer, transaction: Uint8Array): string {
  return createHash('sha256').update(NETWORK_ID).update(type).update(transaction).digest('hex');
}

function read(envelope: string): ReadTransaction {
  const known = readBefore.get(envelope);
  if (known !== undefined) return known;
  const decoded = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  let transaction: ReadTransaction;
  if (decoded.type === 'envelopeTypeTxFeeBump') {
    const { tx } = decoded.feeBump;
    transaction = readInner(tx.innerTx.v1.tx, hashOf(ENVELOPE_TYPE_FEE_BUMP, tx.toXdr()));
  } else if (decoded.type === 'envelopeTypeTx') {
    const { tx } = decoded.v1;
    transaction = readInner(tx, hashOf(ENVELOPE_TYPE_TX, tx.toXdr()));
  } else {
    throw new TypeError(`an envelope of type ${decoded.type}`);
  }
  if (readBefore.size > 5_000) readBefore.clear();
  readBefore.set(envelope, transaction);
  return transaction;
}

/**
 * How a Stellar network behaves towards someone who submits transactions: queue, sequence numbers,
 * ledger bounds, nonces, ledgers. It stands for the third party behind the RPC server, in memory and
 * without a contract host, so that thousands of runs take minutes; what a real host does is tested on
 * the embedded network.
 */
export class ModelLedger {
  ledger = 1_000;
  readonly included = new Map<string, Included>();
  readonly queue = new Map<string, ReadTransaction>();
  readonly #envelopes = new Map<string, string>();
  /** Every hash that the network ever took, by authorization. */
  readonly taken = new Map<string, Set<string>>();
  /** Whether the contract refuses what is included from now on: it fails, and uses no nonce. */
  refuses = false;
  /** What the token reports to have moved from now on; `undefined` if it reports nothing. */
  reports: (asked: AssetMovement) => AssetMovement | undefined = (asked) => asked;
  /** Whether its contracts are Stellar assets, rather than tokens of their own code. */
  hasStellarAssets = true;
  readonly #sequences = new Map<string, bigint>();
  #usedElsewhere = 0n;
  /** Ledgers in which nonces were used, by authorization. */
  readonly #nonces = new Map<string, number>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  sequenceOf(address: string): bigint {
    return (this.#sequences.get(address) ?? 4_294_967_296_000n) + this.#usedElsewhere;
  }

  /** The ledger in which a nonce was used; `undefined` if it was not. */
  nonceUsedIn(authorization: string): number | undefined {
    return this.#nonces.get(authorization);
  }

  /** The payer's own transaction uses a nonce in the next ledger. */
  useNonce(authorization: string): void {
    this.#nonces.set(authorization, this.ledger + 1);
  }

  /** The entries of all nonces expire. */
  forgetNonces(): void {
    this.#nonces.clear();
  }

  /** Another transaction uses so many sequence numbers of every account that has been used or will be. */
  useSequences(count: bigint): void {
    this.#usedElsewhere += count;
  }

  isUsed(envelope: string): boolean {
    const { authorization } = read(envelope);
    return authorization !== undefined && this.#nonces.has(authorization);
  }

  send(envelope: string): SendStatus {
    const transaction = read(envelope);
    const { hash, source, sequence, maxLedger, authorization } = transaction;
    if (this.queue.has(hash)) return 'DUPLICATE';
    if (sequence !== this.sequenceOf(source) + 1n) return { error: 'txBadSeq' };
    if (maxLedger <= this.ledger) return { error: 'txTooLate' };
    if ([...this.queue.values()].some((other) => other.source === source)) return 'TRY_AGAIN_LATER';
    this.queue.set(hash, transaction);
    this.#envelopes.set(hash, envelope);
    if (authorization !== undefined) {
      const hashes = this.taken.get(authorization) ?? new Set();
      this.taken.set(authorization, hashes.add(hash));
    }
    return 'PENDING';
  }

  /**
   * Somebody submits the operation of an envelope from an account of its own.
   *
   * @returns the transaction's hash
   */
  submitAs(
    source: { readonly address: string; readonly publicKey: Uint8Array },
    envelope: string,
    place?: 'first',
  ): string {
    const decoded = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
    if (decoded.type !== 'envelopeTypeTx')
      throw new TypeError(`an envelope of type ${decoded.type}`);
    const tx = new xdr.Transaction({
      ...decoded.v1.tx,
      sourceAccount: xdr.MuxedAccount.keyTypeEd25519(source.publicKey),
      seqNum: this.sequenceOf(source.address) + 1n,
    });
    const own = xdr.TransactionEnvelope.envelopeTypeTx(
      new xdr.TransactionV1Envelope({ tx, signatures: [] }),
    ).toXdr('base64');
    const status = this.send(own);
    if (status !== 'PENDING') throw new Error(`not taken: ${JSON.stringify(status)}`);
    const { hash } = read(own);
    if (place === 'first') {
      const others = [...this.queue].filter(([name]) => name !== hash);
      for (const [name] of others) this.queue.delete(name);
      for (const [name, other] of others) this.queue.set(name, other);
    }
    return hash;
  }

  /** Closes ledgers until this one is the last. */
  closeUntil(ledger: number): void {
    while (this.ledger < ledger) this.close();
  }

  /** Closes a ledger with some of the queue: under load transactions wait. */
  close(): void {
    this.ledger++;
    for (const [hash, transaction] of [...this.queue]) {
      const { source, sequence, maxLedger, authorization, asks } = transaction;
      if (sequence !== this.sequenceOf(source) + 1n || maxLedger < this.ledger) {
        this.queue.delete(hash);
        continue;
      }
      if (this.#random.chance(0.3)) continue;
      // A queue forgets what it does not get into a ledger for long.
      if (this.#random.chance(0.03)) {
        this.queue.delete(hash);
        continue;
      }
      this.queue.delete(hash);
      this.#sequences.set(source, sequence - this.#usedElsewhere);
      const succeeded =
        authorization === undefined || !(this.refuses || this.#nonces.has(authorization));
      if (authorization !== undefined && succeeded) this.#nonces.set(authorization, this.ledger);
      const envelope = this.#envelopes.get(hash) ?? '';
      const { ledger } = this;
      const moved = succeeded && asks !== undefined ? this.reports(asks) : undefined;
      const movements = moved === undefined ? [] : [moved];
      this.included.set(hash, { transaction, envelope, succeeded, ledger, movements });
    }
  }

  /** Hashes under which an authorization has moved money. */
  settledAs(authorization: string): string[] {
    return [...this.included.values()]
      .filter(
        ({ transaction, succeeded }) => succeeded && transaction.authorization === authorization,
      )
      .map(({ transaction }) => transaction.hash);
  }
}
