import {
  type AccountAddress,
  type AtomicAmount,
  type ContractAddress,
  isMuxedAddress,
  parseAtomicAmount,
  parseContractAddress,
  parseStellarAddress,
  STELLAR_TESTNET,
  type StellarAddress,
  X402_VERSION,
} from '../../../../protocol/index.ts';
import type { PaymentEnvelope } from '../../../../protocol/stellar/index.ts';
import type { FacilitatorRequest, PaymentRequirements } from '../../../../protocol/wire/index.ts';
import { accepted, type Checked, type PaymentScheme, rejected } from '../../payment/index.ts';

/**
 * Checks protocol version, scheme and network. The codes are those that the canonical class returns at
 * this step: `invalid_x402_version`, `unsupported_scheme`, `network_mismatch`, `invalid_network`.
 */
export function checkTerms(request: FacilitatorRequest, scheme: string): Checked<undefined> {
  const { paymentPayload, paymentRequirements } = request;
  if (
    paymentPayload.x402Version !== X402_VERSION ||
    (request.x402Version ?? X402_VERSION) !== X402_VERSION
  ) {
    return rejected('invalid_x402_version');
  }
  if (paymentPayload.accepted.scheme !== scheme || paymentRequirements.scheme !== scheme) {
    return rejected('unsupported_scheme');
  }
  if (paymentPayload.accepted.network !== paymentRequirements.network) {
    return rejected('network_mismatch');
  }
  if (paymentRequirements.network !== STELLAR_TESTNET) return rejected('invalid_network');
  return accepted(undefined);
}

export interface Terms {
  readonly asset: ContractAddress;
  readonly payTo: StellarAddress;
  readonly amount: AtomicAmount;
}

/**
 * Reads amount, asset and recipient of the requirements. A non-integer amount is malformed
 * (spec: Amount rules); a muxed recipient has its own refusal.
 */
export function checkRequirements(requirements: PaymentRequirements): Checked<Terms> {
  const amount = parseAtomicAmount(requirements.amount);
  if (amount === undefined) return rejected('invalid_amount');
  const asset = parseContractAddress(requirements.asset);
  if (asset === undefined) return rejected('invalid_asset');
  const payTo = parseStellarAddress(requirements.payTo);
  if (payTo === undefined) {
    return rejected(
      'invalid_payto',
      isMuxedAddress(requirements.payTo) ? 'it is muxed' : undefined,
    );
  }
  return accepted({ asset, payTo, amount });
}

/** Checks that no account of the facilitator is the source of the transaction or of its operation. */
export function checkSources(
  envelope: PaymentEnvelope,
  own: ReadonlySet<AccountAddress>,
): Checked<undefined> {
  const { source, operationSource } = envelope;
  return own.has(source) || (operationSource !== undefined && own.has(operationSource))
    ? rejected('unsafe_source')
    : accepted(undefined);
}

/**
 * Returns the scheme that verifies a request. A request for an unsupported scheme goes to the first scheme, which refuses it
 * after the checks that come before the scheme check in the canonical order.
 */
export function chooseScheme(
  schemes: readonly PaymentScheme[],
  request: FacilitatorRequest,
): PaymentScheme {
  const [first] = schemes;
  if (first === undefined) throw new RangeError('a facilitator serves at least one scheme');
  return schemes.find(({ name }) => name === request.paymentRequirements.scheme) ?? first;
}
