import {
  type AccountAddress,
  STELLAR_SIGNER_PATTERN,
  STELLAR_TESTNET,
  X402_VERSION,
} from '../../protocol/index.ts';
import type { SupportedResponse } from '../../protocol/wire/index.ts';
import type { PaymentScheme } from './payment/index.ts';

/**
 * Returns what this facilitator supports (spec: GET /supported).
 * @param extensions protocol extensions that it supports, such as `bazaar`
 * @param addresses every account it signs with, so that sellers and buyers recognize them
 */
export function supported(
  schemes: readonly PaymentScheme[],
  extensions: readonly string[],
  addresses: Iterable<AccountAddress>,
): SupportedResponse {
  return {
    kinds: schemes.map(({ name, extra }) => ({
      x402Version: X402_VERSION,
      scheme: name,
      network: STELLAR_TESTNET,
      extra: { ...extra },
    })),
    extensions: [...extensions],
    signers: { [STELLAR_SIGNER_PATTERN]: [...addresses] },
  };
}
