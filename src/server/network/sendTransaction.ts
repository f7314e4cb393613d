import * as xdr from '@stellar/stellar-sdk/xdr';
import { z } from 'zod';
import { callAndRead, decodeAnswer, type RpcCall } from './rpcCall.ts';

const METHOD = 'sendTransaction';
const schema = z.object({
  status: z.enum(['PENDING', 'DUPLICATE', 'TRY_AGAIN_LATER', 'ERROR']),
  hash: z.string(),
  latestLedger: z.number(),
  errorResultXdr: z.string().nullish(),
});

export interface Submission {
  /**
   * `PENDING` and `DUPLICATE`: the network has it. `TRY_AGAIN_LATER` and `ERROR`: this server claims that it did not accept it.
   * That is not proof, and the signed envelope stays valid.
   */
  readonly status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER' | 'ERROR';
  readonly latestLedger: number;
  /** Under which the server looks it up. */
  readonly hash?: string;
  /** Result code of an `ERROR`, such as `txBadSeq`; for a fee bump, the inner one if it is that. */
  readonly resultCode: string | undefined;
}

function codeOf(result: xdr.TransactionResult): string {
  const { result: outer } = result;
  return outer.type === 'txFeeBumpInnerFailed'
    ? outer.innerResultPair.result.result.type
    : outer.type;
}

/** Sends a signed transaction to the network. @param transaction base64 XDR of the envelope */
export async function sendTransaction(call: RpcCall, transaction: string): Promise<Submission> {
  const answer = await callAndRead(call, METHOD, { transaction }, schema);
  const { status, latestLedger, hash, errorResultXdr } = answer;
  const resultCode =
    typeof errorResultXdr === 'string'
      ? decodeAnswer(METHOD, () => codeOf(xdr.TransactionResult.fromXdr(errorResultXdr, 'base64')))
      : undefined;
  return { status, latestLedger, hash, resultCode };
}
