import type * as xdr from '@stellar/stellar-sdk/xdr';
import type {
  AtomicAmount,
  ContractAddress,
  ErrorCode,
  STELLAR_TESTNET,
  StellarAddress,
} from '../../../protocol/index.ts';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { SimulationSuccess } from '../../network/index.ts';
import type { Checked } from './rejection.ts';

/** What a request asks for. */
export type PaymentStep = 'verify' | 'settle';

/** A payment whose form is right: what it says, read once and typed. */
export interface PreparedPayment {
  readonly network: typeof STELLAR_TESTNET;
  readonly asset: ContractAddress;
  readonly payer: StellarAddress;
  readonly payTo: StellarAddress;
  /** What this request moves. */
  readonly amount: AtomicAmount;
  /** The envelope that verification simulates, base64: the buyer's own, or made from it. */
  readonly envelope: string;
  /** The operation that a settlement puts on a channel account. */
  readonly operation: xdr.Operation;
  /** The payer's authorization; `undefined` when there is none, which verification refuses. */
  readonly authorization:
    | {
        readonly key: AuthorizationKey;
        readonly nonce: bigint;
        readonly expirationLedger: number;
      }
    | undefined;
  /** How long the seller gives the payment. */
  readonly maxTimeoutSeconds: number;
  /** What the operator should see of a payment that is good all the same. */
  readonly warning?: string;
}

/** What a scheme does. The same steps serve `/verify` and `/settle`. */
export interface PaymentScheme<Prepared extends PreparedPayment = PreparedPayment> {
  readonly name: string;
  /** `extra` of the scheme's kind in `/supported`. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Its code for a payer with insufficient funds. */
  readonly insufficientFunds: Extract<ErrorCode, 'insufficient_funds' | 'upto_insufficient_funds'>;
  /** Checks all that needs no ledger before simulation. Pure. */
  prepare(request: FacilitatorRequest, step: PaymentStep): Checked<Prepared>;
  /**
   * Simulates an envelope that carries the payment (the buyer's own, or the one rebuilt on a
   * channel) and checks all that follows from the result.
   */
  simulate(payment: Prepared, envelope: string): Promise<Checked<SimulationSuccess>>;
  /**
   * What the ledger has to say of a payment whose transaction failed on it, beyond the result code;
   * `undefined` when nothing. Rejects with RpcError when the ledger gives no answer.
   */
  explainFailed?(payment: Prepared): Promise<string | undefined>;
}
