import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { encodeStrKey, type StellarAddress, TESTNET_PASSPHRASE } from '../../src/protocol/index.ts';
import {
  readAuthorization,
  readTransferCall,
  type TransferCall,
} from '../../src/protocol/stellar/index.ts';
import type { Random } from '../helpers/random.ts';

/** A transfer that a transaction carries with the payer's authorization for it. */
interface CarriedTransfer extends TransferCall {
  /** Payer and nonce. */
  readonly authorization: string;
  /** Last ledger in which the authorization is valid. */
  readonly expirationLedger: number;
}

/** What the model reads in an envelope. */
interface ReadTransaction {
  readonly envelope: string;
  readonly hash: string;
  readonly source: string;
  readonly sequence: bigint;
  readonly maxLedger: number;
  readonly call: TransferCall | undefined;
  /** The call with its authorization; `undefined` for a transaction that can move nothing. */
  readonly transfer: CarriedTransfer | undefined;
  readonly authorization: string | undefined;
}

/** The event that a movement emits: its name, and the addresses among its topics. */
export interface ModelEvent {
  readonly name: 'transfer' | 'burn' | 'mint';
  readonly parties: readonly StellarAddress[];
  readonly amount: bigint;
}

export interface Included {
  readonly transaction: ReadTransaction;
  readonly succeeded: boolean;
  readonly ledger: number;
  /** Atomic units that the recipient got. */
  readonly arrived: bigint;
  /** What the token reported of it; `undefined` if nothing. */
  readonly event: ModelEvent | undefined;
}

/** What a token does with a call that moves an amount. */
export interface TokenMood {
  readonly moves: bigint;
  /** The amount in its event; `undefined` for no event. */
  readonly reports: bigint | undefined;
  /** Parties that its event names instead of the payment's. */
  readonly names?: Partial<Pick<TransferCall, 'from' | 'to'>>;
}

export type SendStatus = 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER' | { readonly error: string };

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();
const ENVELOPE_TYPE = { tx: Buffer.from([0, 0, 0, 2]), feeBump: Buffer.from([0, 0, 0, 5]) };
/** `min_temporary_ttl` of the network: the ledger keeps a used nonce at least so long. */
const MIN_NONCE_LEDGERS = 16;
/** The same few envelopes come again and again. */
const readBefore = new Map<string, ReadTransaction>();

function readCall(
  operation: xdr.Operation | undefined,
): Pick<ReadTransaction, 'call' | 'transfer' | 'authorization'> {
  const nothing = { call: undefined, transfer: undefined, authorization: undefined };
  if (operation?.body.type !== 'invokeHostFunction') return nothing;
  const { auth, hostFunction } = operation.body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return nothing;
  const call = readTransferCall(hostFunction.invokeContract);
  const [entry] = auth;
  const signed = entry && readAuthorization(entry);
  if (call === undefined || signed === undefined) return { ...nothing, call };
  const { address, nonce, expirationLedger } = signed;
  const authorization = `${address}:${nonce}`;
  return { call, transfer: { ...call, authorization, expirationLedger }, authorization };
}

function hashOf(type: keyof typeof ENVELOPE_TYPE, body: Uint8Array): string {
  const hash = createHash('sha256').update(NETWORK_ID).update(ENVELOPE_TYPE[type]);
  return hash.update(body).digest('hex');
}

function readInner(tx: xdr.Transaction, envelope: string, hash: string): ReadTransaction {
  const bounds = tx.cond.type === 'precondV2' ? tx.cond.v2.ledgerBounds : null;
  const source = tx.sourceAccount;
  if (source.type !== 'keyTypeEd25519') throw new TypeError('a muxed source');
  return {
    envelope,
    hash,
    source: encodeStrKey('account', source.ed25519.value),
    sequence: tx.seqNum,
    maxLedger: bounds === null || bounds.maxLedger === 0 ? Infinity : bounds.maxLedger - 1,
    ...readCall(tx.operations[0]),
  };
}

function read(envelope: string): ReadTransaction {
  const known = readBefore.get(envelope);
  if (known !== undefined) return known;
  const decoded = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  let transaction: ReadTransaction;
  if (decoded.type === 'envelopeTypeTxFeeBump') {
    const { tx } = decoded.feeBump;
    transaction = readInner(tx.innerTx.v1.tx, envelope, hashOf('feeBump', tx.toXdr()));
  } else if (decoded.type === 'envelopeTypeTx') {
    const { tx } = decoded.v1;
    transaction = readInner(tx, envelope, hashOf('tx', tx.toXdr()));
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
  /** Distinguishes the network from those that began before it. */
  name = 'first network';
  ledger = 1_000;
  /** Whether the accounts of the service exist. */
  hasAccounts = true;
  readonly included = new Map<string, Included>();
  readonly queue = new Map<string, ReadTransaction>();
  /** Every hash that the network ever took, by authorization. */
  readonly taken = new Map<string, Set<string>>();
  /** Whether the contract refuses what is included from now on: it fails, and uses no nonce. */
  refuses = false;
  /** Issues every asset: what it gets is burnt, and what it pays is minted. */
  issuer: StellarAddress | undefined;
  /** Decides what the token does; without it, the token is a Stellar asset. */
  token: ((amount: bigint) => TokenMood) | undefined;
  readonly #sequences = new Map<string, bigint>();
  #firstSequence = 4_294_967_296_000n;
  #usedElsewhere = 0n;
  /** The last ledger of each authorization, and the one in which its nonce was used. */
  readonly #nonces = new Map<string, { readonly usedIn: number; readonly until: number }>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The network begins again: nothing of it is left, and its accounts are created in its first ledgers. */
  reset(): void {
    this.name = 'next network';
    this.ledger = 3;
    this.#firstSequence = 2n << 32n;
    this.#usedElsewhere = 0n;
    this.included.clear();
    this.queue.clear();
    this.#sequences.clear();
    this.#nonces.clear();
  }

  sequenceOf(address: string): bigint {
    return (this.#sequences.get(address) ?? this.#firstSequence) + this.#usedElsewhere;
  }

  /** The ledger in which a nonce was used; `undefined` if it was not, or if the ledger has forgotten it. */
  nonceUsedIn(authorization: string): number | undefined {
    const used = this.#nonces.get(authorization);
    return used !== undefined && used.until >= this.ledger ? used.usedIn : undefined;
  }

  /** The payer's own transaction uses a nonce in the next ledger. */
  useNonce(authorization: string): void {
    this.#nonces.set(authorization, { usedIn: this.ledger + 1, until: Infinity });
  }

  /** Another transaction uses so many sequence numbers of every account that has been used or will be. */
  useSequences(count: bigint): void {
    this.#usedElsewhere += count;
  }

  isUsed(envelope: string): boolean {
    const { authorization } = read(envelope);
    return authorization !== undefined && this.nonceUsedIn(authorization) !== undefined;
  }

  /** What a transaction's transfer would report; `undefined` for one that moves nothing. */
  eventOf(envelope: string): { readonly asset: string; readonly event: ModelEvent } | undefined {
    const { call } = read(envelope);
    return call && { asset: call.asset, event: this.#event(call, call.amount) };
  }

  /** The entries of all nonces expire. */
  forgetNonces(): void {
    this.#nonces.clear();
  }

  /**
   * Somebody else sends a payment's operation in a transaction of an account of their own.
   * @param payment the envelope that the payer handed out
   * @param place `first`: before all others in the queue
   * @returns the transaction's hash
   */
  submitAs(
    source: { readonly address: string; readonly publicKey: Uint8Array },
    payment: string,
    place?: 'first',
  ): string {
    const decoded = xdr.TransactionEnvelope.fromXdr(payment, 'base64');
    if (decoded.type !== 'envelopeTypeTx') throw new TypeError(`an envelope of ${decoded.type}`);
    const seqNum = this.sequenceOf(source.address) + 1n;
    const sourceAccount = xdr.MuxedAccount.keyTypeEd25519(source.publicKey);
    const tx = new xdr.Transaction({ ...decoded.v1.tx, sourceAccount, seqNum });
    const envelope = xdr.TransactionEnvelope.envelopeTypeTx(
      new xdr.TransactionV1Envelope({ tx, signatures: [] }),
    );
    const transaction = read(envelope.toXdr('base64'));
    const others = place === 'first' ? [...this.queue] : [];
    if (place === 'first') this.queue.clear();
    this.queue.set(transaction.hash, transaction);
    for (const [hash, other] of others) this.queue.set(hash, other);
    return transaction.hash;
  }

  send(envelope: string): SendStatus {
    const transaction = read(envelope);
    const { hash, source, sequence, maxLedger, authorization } = transaction;
    if (this.queue.has(hash)) return 'DUPLICATE';
    if (sequence !== this.sequenceOf(source) + 1n) return { error: 'txBadSeq' };
    if (maxLedger <= this.ledger) return { error: 'txTooLate' };
    if ([...this.queue.values()].some((other) => other.source === source)) return 'TRY_AGAIN_LATER';
    this.queue.set(hash, transaction);
    if (authorization !== undefined) {
      const hashes = this.taken.get(authorization) ?? new Set();
      this.taken.set(authorization, hashes.add(hash));
    }
    return 'PENDING';
  }

  /** Closes ledgers until this one is the last. */
  closeUntil(ledger: number): void {
    while (this.ledger < ledger) this.close();
  }

  /** Closes a ledger with some of the queue: under load transactions wait. */
  close(): void {
    this.ledger++;
    for (const [hash, transaction] of [...this.queue]) {
      const { source, sequence, maxLedger } = transaction;
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
      this.included.set(hash, this.#apply(transaction));
    }
  }

  #apply(transaction: ReadTransaction): Included {
    const { ledger } = this;
    const { transfer } = transaction;
    const nothing = { transaction, ledger, arrived: 0n, event: undefined };
    if (transfer === undefined) return { ...nothing, succeeded: true };
    const { authorization, expirationLedger, amount } = transfer;
    const isUsed = this.nonceUsedIn(authorization) !== undefined;
    if (this.refuses || isUsed || expirationLedger < ledger) {
      return { ...nothing, succeeded: false };
    }
    const until = Math.max(expirationLedger, ledger + MIN_NONCE_LEDGERS - 1);
    this.#nonces.set(authorization, { usedIn: ledger, until });
    const mood: TokenMood = this.token?.(amount) ?? { moves: amount, reports: amount };
    const { moves, reports, names } = mood;
    const event =
      reports === undefined ? undefined : this.#event({ ...transfer, ...names }, reports);
    return { transaction, ledger, succeeded: true, arrived: moves, event };
  }

  #event({ from, to }: TransferCall, amount: bigint): ModelEvent {
    const name = to === this.issuer ? 'burn' : from === this.issuer ? 'mint' : 'transfer';
    const named = { burn: [from], mint: [to], transfer: [from, to] }[name];
    return { name, parties: named.flatMap((party) => party ?? []), amount };
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
