import { STELLAR_TESTNET, X402_VERSION } from '../../../../protocol/index.ts';
import type { FacilitatorRequest } from '../../../../protocol/wire/index.ts';
import { accepted, type Checked, rejected } from '../../payment/index.ts';

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
