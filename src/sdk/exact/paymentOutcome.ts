import {
  type AuthorizationFate,
  type FateReader,
  moneyMovedBy,
  readFate,
} from '../../protocol/fate/index.ts';
import type { ContractAddress, StellarAddress } from '../../protocol/index.ts';
import type { SentPayment } from './sentPayment.ts';

/** The outcome of a payment on the ledger. `fate` is what it is derived from. */
export type PaymentOutcome =
  | {
      readonly moneyMoved: 'yes';
      /** Hash of the transaction; empty if the RPC no longer has it. */
      readonly transaction: string;
      readonly fate: AuthorizationFate;
    }
  | {
      /**
       * - `not_yet`: nothing so far, but it can still settle, until `fate.until`
       * - `no`: it can never settle, which was proved
       * - `unknown`: the RPC did not answer, or its history does not reach back far enough
       */
      readonly moneyMoved: 'not_yet' | 'no' | 'unknown';
      readonly fate: AuthorizationFate;
    };

/** Returns the outcome that a fate permits to report. */
export function outcomeOf(fate: AuthorizationFate): PaymentOutcome {
  const moneyMoved = moneyMovedBy(fate);
  if (moneyMoved !== 'yes') return { moneyMoved, fate };
  return { moneyMoved, transaction: (fate.state === 'paid' && fate.hash) || '', fate };
}

/**
 * Reads a payment's outcome from the ledger, submitted by anyone.
 * @throws RpcFailedError if the RPC is unreachable
 */
export async function paymentOutcome(
  payment: SentPayment,
  rpc: FateReader,
): Promise<PaymentOutcome> {
  const { payer, payTo, asset, amount, nonce, signedLedger, expirationLedger } = payment;
  const transfer = {
    // A payment was checked when it was made, and is only stored by this SDK.
    ...{ asset: asset as ContractAddress, from: payer as StellarAddress },
    ...{ to: payTo as StellarAddress, amount, nonce },
    ...{ expirationLedger, firstLedger: signedLedger },
  };
  return outcomeOf(await readFate(transfer, rpc));
}
