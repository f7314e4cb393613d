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
import type { SignatureVerdict } from './payerSignature.ts';
import type { Checked } from './rejection.ts';

/** The step that a request asks for. */
export type PaymentStep = 'verify' | 'settle';

/** A well-formed payment, parsed into typed fields. */
export interface PreparedPayment {
  readonly network: typeof STELLAR_TESTNET;
  readonly asset: ContractAddress;
  readonly payer: StellarAddress;
  readonly payTo: StellarAddress;
  /** The amount that this request moves. */
  readonly amount: AtomicAmount;
  /** The envelope that verification simulates, base64: only the operation of the buyer's envelope, as a settlement runs it. */
  readonly envelope: string;
  /** The bytes of the `Operation` that a settlement runs on a channel account. */
  readonly operation: Uint8Array;
  /** The payer's authorization; `undefined` if there is none, which verification refuses. */
  readonly authorization:
    | {
        readonly key: AuthorizationKey;
        readonly nonce: bigint;
        readonly expirationLedger: number;
        /** Verifies its signatures as far as that is possible without the ledger. */
        readonly judgeSignature: () => SignatureVerdict;
      }
    | undefined;
  /** The seller's time limit for the payment. */
  readonly maxTimeoutSeconds: number;
  /** A warning for the operator about a valid payment. */
  readonly warning?: string;
}

/** The steps of a scheme. `/verify` and `/settle` use the same ones. */
export interface PaymentScheme<Prepared extends PreparedPayment = PreparedPayment> {
  readonly name: string;
  /** `extra` of the scheme's kind in `/supported`. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Its code for a payer with insufficient funds. */
  readonly insufficientFunds: Extract<ErrorCode, 'insufficient_funds' | 'upto_insufficient_funds'>;
  /** Its code for an authorization whose signature does not verify. */
  readonly badSignature: Extract<ErrorCode, 'signature_invalid' | 'upto_signature_invalid'>;
  /** Performs the checks before simulation that do not need the ledger. Pure. */
  prepare(request: FacilitatorRequest, step: PaymentStep): Checked<Prepared>;
  /**
   * Simulates an envelope with the payment (the one of `prepare`, or the one rebuilt on a channel) and
   * performs the checks that depend on the result.
   */
  simulate(payment: Prepared, envelope: string): Promise<Checked<SimulationSuccess>>;
  /**
   * Explains from the ledger why a payment's transaction failed on it, beyond the result code;
   * `undefined` if it cannot. Rejects with RpcError if the ledger does not answer.
   */
  explainFailed?(payment: Prepared): Promise<string | undefined>;
}
