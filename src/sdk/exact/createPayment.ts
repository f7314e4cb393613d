import * as xdr from '@stellar/stellar-sdk/xdr';
import { type AccountAddress, TESTNET_PASSPHRASE, X402_VERSION } from '../../protocol/index.ts';
import { credentialKind, transferInvocation } from '../../protocol/stellar/index.ts';
import type { Challenge } from './challenge.ts';
import type { PaymentOption } from './choosePaymentOption.ts';
import { CannotPayError } from './errors.ts';
import { knownSigner, type PaymentSigner, type WalletSigner } from './paymentSigner.ts';
import type { Platform } from './platform.ts';
import type { SentPayment } from './sentPayment.ts';
import { freshNonce, signAuthorization } from './signAuthorization.ts';
import { decode, succeed } from './simulationSuccess.ts';
import type { RpcSimulation, SorobanRpc } from './sorobanRpc.ts';
import { NULL_ACCOUNT, transferEnvelope } from './transferEnvelope.ts';

/** The payer of a payment and the services it needs. */
export interface PaymentMeans {
  readonly signer: PaymentSigner | WalletSigner;
  readonly rpc: SorobanRpc;
  readonly platform: Platform;
  /** Network passphrase for signatures; testnet's if undefined. */
  readonly networkPassphrase?: string | undefined;
  /** Source account of simulations. It never signs and is never charged. */
  readonly simulationSourceAccount?: AccountAddress | undefined;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** A signed payment. */
export interface SignedPayment {
  /** For the `PAYMENT-SIGNATURE` header. */
  readonly payload: object;
  /** The transaction in it, base64 XDR, which pays by other protocols as well. */
  readonly transaction: string;
  readonly option: PaymentOption;
  /** The data for looking it up after it was sent. */
  readonly sent: SentPayment;
}

/**
 * The assumed duration of a ledger in seconds, to convert a time to a ledger number. Facilitators round
 * their estimate of about five up; a shorter lifetime of the signature is always accepted.
 */
const SECONDS_PER_LEDGER = 6;
/** Lowest inclusion fee bid, in stroops, of a fee bump around one operation. */
const LEAST_INCLUSION_FEE = 200n;

/**
 * Builds the transfer, simulates it on the network, signs its authorization, and simulates it again
 * with the signature enforced, which runs the payer's own spending policies.
 *
 * Each call signs another authorization, with a nonce of its own. A second one for the same sale must not be made while the first
 * can still settle: present the first again ([decision 0101](../../../docs/decisions/0101-a-sale-has-one-authorization.md)).
 * @throws CannotPayError, NotSignedError, RpcFailedError; nothing was sent to the seller in that case
 */
export async function createPayment(
  option: PaymentOption,
  challenge: Pick<Challenge, 'resource' | 'extensions'>,
  means: PaymentMeans,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<SignedPayment> {
  const { rpc, platform } = means;
  const signer = knownSigner(means.signer);
  const source = means.simulationSourceAccount ?? NULL_ACCOUNT;
  if (source === signer.address) {
    throw new CannotPayError(
      'simulation_failed',
      'The account that simulations run from must not be the payer.',
      source,
    );
  }
  const { asset, payTo, amount } = option;
  const invocation = transferInvocation({ asset, from: signer.address, to: payTo, amount });
  const draft = { source, invocation, now: means.now() / 1000 };

  const recorded = succeed(
    await rpc.simulate(transferEnvelope({ ...draft, authorizations: [] }), signal),
  );
  const ledgers = Math.max(1, Math.ceil(option.maxTimeoutSeconds / SECONDS_PER_LEDGER));
  const expirationLedger = recorded.latestLedger + ledgers;
  const nonce = freshNonce(platform);
  const entry = await signAuthorization(
    { kind: kindAsked(recorded), nonce, expirationLedger, invocation },
    signer,
    means.networkPassphrase ?? TESTNET_PASSPHRASE,
    platform,
  );

  const signed = { ...draft, authorizations: [entry] };
  const { transactionData, minResourceFee } = succeed(
    await rpc.simulate(transferEnvelope(signed), signal),
  );
  checkFeeCeiling(option, BigInt(minResourceFee));
  const resources = {
    data: decode(() => xdr.SorobanTransactionData.fromXdr(transactionData, 'base64')),
    fee: BigInt(minResourceFee),
  };
  const transaction = transferEnvelope({ ...signed, resources });
  const payload = {
    x402Version: X402_VERSION,
    payload: { transaction },
    ...(challenge.extensions ? { extensions: challenge.extensions } : {}),
    ...(challenge.resource ? { resource: challenge.resource } : {}),
    accepted: option.offered,
  };
  const { latestLedger: signedLedger } = recorded;
  const payer: string = signer.address;
  const sent = { payer, nonce, asset, payTo, amount, signedLedger, expirationLedger };
  return { payload, transaction, option, sent };
}

/**
 * Refuses a payment whose network fee is above the ceiling in the challenge, because the facilitator would
 * refuse it. The facilitator adds at least the network's base fee for two operations.
 */
function checkFeeCeiling({ offered }: PaymentOption, resourceFee: bigint): void {
  const named = offered.extra?.['maxTransactionFeeStroops'];
  if (typeof named !== 'string' || !/^\d{1,18}$/.test(named)) return;
  const fee = resourceFee + LEAST_INCLUSION_FEE;
  if (fee <= BigInt(named)) return;
  throw new CannotPayError(
    'fee_above_ceiling',
    "The network fee of this payment is above the ceiling of the seller's facilitator.",
    `${fee} stroops needed, ceiling ${named}`,
  );
}

/** Returns the kind of credentials that the network records for this transfer. */
function kindAsked({ results }: RpcSimulation): 'address' | 'addressV2' {
  const [text, ...others] = results?.[0]?.auth ?? [];
  if (text === undefined || others.length > 0) {
    throw new CannotPayError(
      'simulation_failed',
      "The asset's transfer requires signatures other than the payer's.",
      `${text === undefined ? 0 : others.length + 1} authorizations`,
    );
  }
  const entry = decode(() => xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64'));
  const kind = credentialKind(entry);
  if (kind === 'sourceAccount' || kind === 'delegated') {
    throw new CannotPayError(
      'simulation_failed',
      'The network requires credentials that a facilitator cannot use.',
      kind,
    );
  }
  if (entry.rootInvocation.subInvocations.length > 0) {
    throw new CannotPayError(
      'simulation_failed',
      "The asset's transfer would call other contracts in the payer's name.",
      `${entry.rootInvocation.subInvocations.length} calls`,
    );
  }
  return kind;
}
