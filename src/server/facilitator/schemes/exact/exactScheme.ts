import {
  type AccountAddress,
  STELLAR_TESTNET,
  type StellarAddress,
} from '../../../../protocol/index.ts';
import {
  authorizationKey,
  decodePaymentEnvelope,
  invokedContract,
  type PaymentEnvelope,
  readAuthorization,
  readTransferCall,
  type TransferCall,
} from '../../../../protocol/stellar/index.ts';
import type { FacilitatorRequest, PaymentRequirements } from '../../../../protocol/wire/index.ts';
import type { Clock } from '../../../clock.ts';
import type { StellarNetwork } from '../../../network/index.ts';
import { draftTransaction, unsignedEnvelope } from '../../../settlement/index.ts';
import {
  accepted,
  type Checked,
  judgeEntry,
  judgePlain,
  type PaymentScheme,
  rejected,
} from '../../payment/index.ts';
import { checkRequirements, checkSources, checkTerms, type Terms } from '../checks/checkTerms.ts';
import { guardSkew } from '../guardSkew.ts';
import type { ExactPayment } from './exactPayment.ts';
import { type ExactRules, simulateExact } from './simulateExact.ts';

/** Returns the payer's own authorization among the entries, which identifies the payment. */
function findAuthorization(
  envelope: PaymentEnvelope,
  transfer: TransferCall,
): ExactPayment['authorization'] {
  const { from } = transfer;
  const { plain } = envelope;
  if (plain !== undefined) {
    const { address, nonce, expirationLedger } = plain.authorization;
    if (address !== from) return undefined;
    const key = authorizationKey(from, nonce);
    return { key, nonce, expirationLedger, judgeSignature: () => judgePlain(plain) };
  }
  for (const entry of envelope.authorizations) {
    const read = readAuthorization(entry);
    if (read?.address === from) {
      const { nonce, expirationLedger } = read;
      const key = authorizationKey(from, nonce);
      return { key, nonce, expirationLedger, judgeSignature: () => judgeEntry(entry, from) };
    }
  }
  return undefined;
}

/**
 * The account that verification simulates on, which nobody has the key of. A settlement runs on a channel account; the buyer's
 * own source, memo, fee, conditions and resources count for neither, because nobody signed them.
 */
const NOBODY = { publicKey: new Uint8Array(32) };

/** Returns the envelope that verification simulates: the operation that would settle, and nothing else of the buyer's. */
function simulatedEnvelope({ operationBytes: operation }: PaymentEnvelope): string {
  return unsignedEnvelope(draftTransaction({ channel: NOBODY, sequence: 0n, operation }));
}

/**
 * Performs the verification steps that do not need the ledger, in the canonical order. Pure.
 * @param own every account of the facilitator
 */
export function prepareExact(
  request: FacilitatorRequest,
  own: ReadonlySet<AccountAddress>,
): Checked<ExactPayment> {
  const { paymentPayload, paymentRequirements } = request;

  // 1. Version, scheme, network.
  const terms = checkTerms(request, 'exact');
  if (!terms.ok) return terms;

  // 2. The envelope: one invocation of a contract, not from one of our accounts.
  const text = paymentPayload.payload.transaction;
  const decoded = decodePaymentEnvelope(text);
  if (!decoded.ok) return rejected(decoded.code);
  const sources = checkSources(decoded.envelope, own);
  if (!sources.ok) return sources;

  // 3. The requirements that the call must match.
  const required = checkRequirements(paymentRequirements);
  if (!required.ok) return required;

  // 4. The call is that transfer.
  const transfer = checkTransfer(decoded.envelope, required.value, own);
  if (!transfer.ok) return transfer;

  // 5. The buyer accepted the same terms.
  const agreed = checkAccepted(paymentPayload.accepted, paymentRequirements);
  if (!agreed.ok) return agreed;

  return accepted({
    network: STELLAR_TESTNET,
    ...required.value,
    payer: transfer.value.from,
    envelope: simulatedEnvelope(decoded.envelope),
    operation: decoded.envelope.operationBytes,
    authorization: findAuthorization(decoded.envelope, transfer.value),
    decoded: decoded.envelope,
    transfer: transfer.value,
    maxTimeoutSeconds: paymentRequirements.maxTimeoutSeconds,
  });
}

/**
 * Checks that the call is `transfer(payer, payTo, amount)` on the required asset, and that no account
 * of the facilitator pays or is paid.
 */
function checkTransfer(
  envelope: PaymentEnvelope,
  terms: Terms,
  own: ReadonlySet<AccountAddress>,
): Checked<TransferCall> {
  const isOwn = (address: StellarAddress): boolean => (own as ReadonlySet<string>).has(address);
  const { plain } = envelope;
  const asset = plain === undefined ? invokedContract(envelope.invocation) : plain.call.asset;
  if (asset !== terms.asset) return rejected('wrong_asset');
  const call = plain === undefined ? readTransferCall(envelope.invocation) : plain.call;
  if (call === undefined) return rejected('wrong_function');
  if (isOwn(call.from)) return rejected('facilitator_is_payer');
  if (call.to !== terms.payTo) return rejected('wrong_recipient');
  if (call.amount !== terms.amount) return rejected('wrong_amount');
  if (isOwn(terms.payTo)) return rejected('facilitator_is_recipient');
  return accepted(call);
}

const TERMS = ['scheme', 'network', 'asset', 'amount', 'payTo', 'maxTimeoutSeconds'] as const;

/**
 * Checks that the buyer accepted the seller's requirements (spec: POST /verify and POST /settle).
 * `extra` is not compared: a server may add keys to it after the buyer has read it.
 */
function checkAccepted(
  acceptedTerms: PaymentRequirements,
  requirements: PaymentRequirements,
): Checked<undefined> {
  const different = TERMS.find((term) => acceptedTerms[term] !== requirements[term]);
  return different === undefined ? accepted(undefined) : rejected('accepted_mismatch', different);
}

/** Scheme `exact`: the buyer signs an amount, and exactly that amount settles. */
export function exactScheme(
  network: StellarNetwork,
  rules: ExactRules,
  clock: Clock,
): PaymentScheme<ExactPayment> {
  return {
    name: 'exact',
    insufficientFunds: 'insufficient_funds',
    badSignature: 'signature_invalid',
    extra: {
      areFeesSponsored: true,
      maxTransactionFeeStroops: rules.maxTxFeeStroops.toString(),
    },
    prepare: (request) => prepareExact(request, rules.own),
    simulate: (payment, envelope) =>
      guardSkew(() => simulateExact(payment, envelope, network, rules), clock),
  };
}
