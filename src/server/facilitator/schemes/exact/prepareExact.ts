import { type AccountAddress, STELLAR_TESTNET } from '../../../../protocol/index.ts';
import {
  authorizationKey,
  decodePaymentEnvelope,
  type PaymentEnvelope,
  readAuthorization,
  type TransferCall,
} from '../../../../protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../../../protocol/wire/index.ts';
import { draftTransaction, unsignedEnvelope } from '../../../settlement/index.ts';
import { accepted, type Checked, judgeEntry, judgePlain, rejected } from '../../payment/index.ts';
import { checkRequirements, checkSources, checkTerms } from '../checks/checkTerms.ts';
import { checkAccepted } from './checks/checkAccepted.ts';
import { checkTransfer } from './checks/checkTransfer.ts';
import type { ExactPayment } from './exactPayment.ts';

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
