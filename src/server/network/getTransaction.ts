import * as xdr from '@stellar/stellar-sdk/xdr';
import { z } from 'zod';
import type { SettlementHash } from '../../protocol/index.ts';
import { type AssetMovement, readAssetMovement } from '../../protocol/stellar/index.ts';
import { callAndRead, decodeAnswer, type RpcCall } from './rpcCall.ts';

const METHOD = 'getTransaction';
const schema = z.object({
  status: z.enum(['NOT_FOUND', 'SUCCESS', 'FAILED']),
  latestLedger: z.number(),
  oldestLedger: z.number().nullish(),
  ledger: z.number().nullish(),
  resultXdr: z.string().nullish(),
  envelopeXdr: z.string().nullish(),
  // Since version 23 of Stellar RPC: for each operation, the events of its contracts.
  events: z
    .object({ contractEventsXdr: z.array(z.array(z.string()).nullish()).nullish() })
    .nullish(),
});

export type TransactionLookup =
  | {
      readonly status: 'NOT_FOUND';
      readonly latestLedger: number;
      /** First ledger that was searched; `undefined` when the server does not name it. */
      readonly oldestLedger?: number | undefined;
    }
  | {
      readonly status: 'SUCCESS' | 'FAILED';
      readonly latestLedger: number;
      readonly ledger: number;
      /** Stroops that the fee source actually paid. */
      readonly feeCharged: bigint;
      /** Result code of the transaction; for a fee bump, of the inner one. */
      readonly resultCode: string;
      /** Base64 XDR, if the server returns it. */
      readonly envelope?: string | undefined;
      /** What its contracts report to have moved; `undefined` for a failure, and if the server shows no events. */
      readonly movements?: readonly AssetMovement[] | undefined;
    };

function innerCode(result: xdr.TransactionResult): string {
  const { result: outer } = result;
  return outer.type === 'txFeeBumpInnerFailed' || outer.type === 'txFeeBumpInnerSuccess'
    ? outer.innerResultPair.result.result.type
    : outer.type;
}

/**
 * The discriminants, by offset, in the result of a successful fee bump around one contract invocation. The bytes between them
 * are only numbers and hashes.
 */
const SETTLED: readonly (readonly [number, number])[] = [
  [8, 1],
  [52, 0],
  [56, 1],
  [60, 0],
  [64, 24],
  [68, 0],
  [104, 0],
  [108, 0],
];
const SETTLED_BYTES = 112;

function isSettled(result: Buffer): boolean {
  return (
    result.length === SETTLED_BYTES &&
    SETTLED.every(([at, value]) => result.readUInt32BE(at) === value)
  );
}

/** Reads the bytes of a `TransactionResult`. Throws if they are malformed. */
export function readResult(bytes: Buffer): { feeCharged: bigint; resultCode: string } {
  // The usual case for a settlement. Decoding the whole result takes fifty times as long.
  if (isSettled(bytes)) return { feeCharged: bytes.readBigInt64BE(0), resultCode: 'txSuccess' };
  const result = xdr.TransactionResult.fromXdr(bytes);
  return { feeCharged: result.feeCharged, resultCode: innerCode(result) };
}

/**
 * Reads the movements in the events of a transaction, base64 XDR by operation; `undefined` if there are no events to read.
 * Throws if they are malformed.
 */
export function readMovements(
  byOperation: readonly (readonly string[] | null | undefined)[] | null | undefined,
): readonly AssetMovement[] | undefined {
  return byOperation
    ?.flatMap((events) => events ?? [])
    .flatMap((event) => readAssetMovement(Buffer.from(event, 'base64')) ?? []);
}

/** Looks up a transaction by the hash under which it was sent (the fee bump's). */
export async function getTransaction(
  call: RpcCall,
  hash: SettlementHash,
): Promise<TransactionLookup> {
  const answer = await callAndRead(call, METHOD, { hash }, schema);
  const { status, latestLedger } = answer;
  if (status === 'NOT_FOUND') {
    return { status, latestLedger, oldestLedger: answer.oldestLedger ?? undefined };
  }
  return decodeAnswer(METHOD, () => {
    return {
      status,
      latestLedger,
      ledger: answer.ledger ?? latestLedger,
      ...readResult(Buffer.from(answer.resultXdr ?? '', 'base64')),
      envelope: answer.envelopeXdr ?? undefined,
      movements: status === 'SUCCESS' ? readMovements(answer.events?.contractEventsXdr) : undefined,
    };
  });
}
