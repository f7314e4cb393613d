import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { type SettlementHash, settlementHash, TESTNET_PASSPHRASE } from '../../protocol/index.ts';
import type { SimulationSuccess, StellarNetwork } from '../network/index.ts';
import type { Signer } from './signer.ts';

/** A fee bump counts as one operation more than the transaction inside (CAP-15). */
const FEE_BUMP_OPERATIONS = 2n;

/**
 * Returns the sponsor's total bid for a settlement, in stroops: the resource fee of the simulation
 * and an inclusion fee for each of the two operations (spec: Limits/Fee ceiling compares this).
 */
export function totalBid(minResourceFee: bigint, inclusionFee: bigint): bigint {
  return minResourceFee + FEE_BUMP_OPERATIONS * inclusionFee;
}

/**
 * Returns the resource fee of a settlement, in stroops. A simulation names it twice, and the
 * transaction has the one in its data: the higher one counts.
 */
export function resourceFeeOf({
  minResourceFee,
  resourceFee,
}: Pick<SimulationSuccess, 'minResourceFee' | 'resourceFee'>): bigint {
  if (resourceFee > minResourceFee) return resourceFee;
  return minResourceFee;
}

/**
 * Returns the inclusion bid per operation: the fee that others pay, limited by the ceiling of the total
 * bid, and never below the minimum (upstream #3491: 100 stroops miss a busy ledger). All in stroops.
 */
export function inclusionFeeWithin(fees: {
  readonly least: bigint;
  /** Fee that others pay; 0 if unknown. */
  readonly others: bigint;
  readonly ceiling: bigint;
  readonly resourceFee: bigint;
}): bigint {
  const { least, others, ceiling, resourceFee } = fees;
  const room = (ceiling - resourceFee) / FEE_BUMP_OPERATIONS;
  if (room <= least || others <= least) return least;
  return others < room ? others : room;
}

/** The parts of a transaction of one Soroban operation, encoded as far as they are known. */
interface TransactionParts {
  readonly channel: Pick<Signer, 'publicKey'>;
  readonly sequence: bigint;
  /** The bytes of an `Operation`. */
  readonly operation: Uint8Array;
}

/** The parts of a settlement's inner transaction. */
export interface InnerTransactionParts extends TransactionParts {
  /** The bytes of the `SorobanTransactionData` that the simulation gave. */
  readonly resources: Uint8Array;
  /** The resource fee in those bytes, in stroops. */
  readonly resourceFee: bigint;
  readonly inclusionFee: bigint;
  /** Last ledger that may include it. After that ledger, its absence proves that it was never included. */
  readonly lastLedger: number;
}

/**
 * Returns the condition that no ledger after `lastLedger` includes the transaction. It uses ledgers, not
 * times: the ledger's clock may differ from ours, and an embedded ledger may run ahead of it.
 */
export function ledgerBounded(lastLedger: number): xdr.Preconditions {
  return xdr.Preconditions.precondV2(
    new xdr.PreconditionsV2({
      timeBounds: null,
      ledgerBounds: new xdr.LedgerBounds({ minLedger: 0, maxLedger: lastLedger + 1 }),
      minSeqNum: null,
      minSeqAge: 0n,
      minSeqLedgerGap: 0,
      extraSigners: [],
    }),
  );
}

/** Maximum time that a settlement holds its channel, however long the seller is willing to wait. */
const MAX_SECONDS = 86_400;
/** Minimum life of a settlement: two minutes of ledgers, however short the seller is willing to wait. */
const MIN_LEDGERS = 24;

/**
 * The last ledger that may include the settlement of a payment. An authorization that is valid for a day must not hold a
 * channel for a day: after maxTimeoutSeconds, nobody waits for the settlement.
 */
export function lastLedgerOf(
  { maxTimeoutSeconds }: { readonly maxTimeoutSeconds: number },
  expirationLedger: number,
  latestLedger: number,
  network: Pick<StellarNetwork, 'ledgerSeconds'>,
): number {
  const ledgers = Math.ceil(
    Math.min(maxTimeoutSeconds, MAX_SECONDS) / network.ledgerSeconds(latestLedger),
  );
  return Math.min(expirationLedger, latestLedger + Math.max(ledgers, MIN_LEDGERS));
}

/** The bytes of `ledgerBounded` before the number of its last ledger, and after it. */
const BEFORE_LAST_LEDGER = Buffer.concat([2, 0, 1, 0].map(encodeUint32));
const AFTER_LAST_LEDGER = Buffer.alloc(5 * 4);

/** Returns the bytes of `ledgerBounded`. */
export function ledgerBoundedBytes(lastLedger: number): Uint8Array {
  return Buffer.concat([BEFORE_LAST_LEDGER, encodeUint32(lastLedger + 1), AFTER_LAST_LEDGER]);
}

const DRAFT_FEE = 100;
const NO_CONDITIONS = xdr.Preconditions.precondNone().toXdr();
/** Of unions: a plain source account, no memo, an empty extension, Soroban data; and a list of one operation. */
const PLAIN_ACCOUNT = encodeUint32(0);
const NO_MEMO = encodeUint32(0);
const NO_EXTENSION = encodeUint32(0);
const SOROBAN_DATA = encodeUint32(1);
const ONE_OPERATION = encodeUint32(1);

/**
 * Assembles the bytes of a `Transaction`. The operation is used twice and the resources arrive as bytes; encoding both
 * each time would be most of the work.
 */
function transactionBytes(
  { channel, sequence, operation }: TransactionParts,
  fee: number,
  conditions: Uint8Array,
  resources: Uint8Array | undefined,
): Uint8Array {
  const extension = resources === undefined ? [NO_EXTENSION] : [SOROBAN_DATA, resources];
  return Buffer.concat([
    ...[PLAIN_ACCOUNT, channel.publicKey],
    ...[encodeUint32(fee), encodeInt64(sequence), conditions, NO_MEMO],
    ...[ONE_OPERATION, operation, ...extension],
  ]);
}

/**
 * Returns the buyer's operation on a channel account for simulation, without conditions, which the simulation ignores.
 * @param resources the bytes of a `SorobanTransactionData`, for operations that name their entries only there; the
 *   simulation determines the rest
 */
export function draftTransaction(parts: TransactionParts, resources?: Uint8Array): Uint8Array {
  return transactionBytes(parts, DRAFT_FEE, NO_CONDITIONS, resources);
}

/**
 * Returns the buyer's operation on a channel account. Nothing else of the buyer's envelope is kept: nobody
 * signed its memo, fee and conditions.
 */
export function innerTransaction(parts: InnerTransactionParts): Uint8Array {
  const fee = Number(parts.resourceFee + parts.inclusionFee);
  const conditions = ledgerBoundedBytes(parts.lastLedger);
  return transactionBytes(parts, fee, conditions, parts.resources);
}

// Envelopes are assembled from encoded parts. Each part is encoded once: the bytes of a transaction are the same in the hash
// input, in its envelope, and in the fee bump around it.

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();

/** Discriminants of EnvelopeType. */
const TRANSACTION = encodeUint32(2);
const FEE_BUMP = encodeUint32(5);
const NO_SIGNATURES = encodeUint32(0);

/** A transaction ready to be sent, and the hash under which the ledger will know it. */
export interface SignedTransaction {
  readonly envelope: string;
  readonly hash: SettlementHash;
}

interface SignedBytes {
  readonly envelope: Buffer;
  readonly hash: Buffer;
}

/** Hashes a transaction for the test network, signs the hash, and appends the one signature. */
function sign(signer: Signer, envelopeType: Buffer, body: Uint8Array): SignedBytes {
  const hash = createHash('sha256').update(NETWORK_ID).update(envelopeType).update(body).digest();
  const signature = signer.sign(hash);
  const hint = signer.publicKey.subarray(-4);
  const parts = [
    envelopeType,
    body,
    encodeUint32(1),
    hint,
    encodeUint32(signature.length),
    signature,
  ];
  return { envelope: Buffer.concat(parts), hash };
}

function ready({ envelope, hash }: SignedBytes): SignedTransaction {
  return { envelope: envelope.toString('base64'), hash: settlementHash(hash) };
}

/** Returns the envelope of an unsigned transaction, given its bytes, for simulation. */
export function unsignedEnvelope(transaction: Uint8Array): string {
  return Buffer.concat([TRANSACTION, transaction, NO_SIGNATURES]).toString('base64');
}

/** Signs a transaction, given its bytes, with the key of its source. */
export function signedEnvelope(transaction: Uint8Array, source: Signer): SignedTransaction {
  return ready(sign(source, TRANSACTION, transaction));
}

/**
 * Signs the inner transaction with its source and wraps it in a fee bump of the sponsor
 * (spec: What the service does, 3; CAP-15). The hash is the fee bump's.
 * @param transaction the bytes of the inner transaction
 * @param bid stroops the sponsor bids in all
 */
export function feeBumpedEnvelope(
  transaction: Uint8Array,
  source: Signer,
  sponsor: Signer,
  bid: bigint,
): SignedTransaction {
  const inner = sign(source, TRANSACTION, transaction);
  const bump = [PLAIN_ACCOUNT, sponsor.publicKey, encodeInt64(bid), inner.envelope, NO_EXTENSION];
  return ready(sign(sponsor, FEE_BUMP, Buffer.concat(bump)));
}

/** Encodes an unsigned 32-bit integer, also a discriminant or a length (RFC 4506, 4.2). */
export function encodeUint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a signed 64-bit integer (RFC 4506, 4.5: hyper). */
export function encodeInt64(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}
