import type { PaymentPayload, PaymentRequirements } from '../../src/protocol/wire/index.ts';
import { canonicalPackage } from './canonical.ts';

/** The canonical client's answers, as far as tests read them. */
export interface ClientVerify {
  readonly isValid: boolean;
  readonly invalidReason?: string;
  readonly invalidMessage?: string;
  readonly payer?: string;
  readonly extra?: Record<string, unknown>;
}

export interface ClientSettle {
  readonly success: boolean;
  readonly transaction: string;
  readonly network: string;
  readonly amount?: string;
  readonly payer?: string;
  readonly errorReason?: string;
  readonly errorMessage?: string;
  readonly extra?: Record<string, unknown>;
}

/** `HTTPFacilitatorClient` of `@x402/core`, unmodified. */
export interface CanonicalClient {
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<ClientVerify>;
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<ClientSettle>;
  getSupported(): Promise<{
    kinds: { scheme: string; network: string; x402Version: number; extra?: object }[];
    extensions: string[];
    signers: Record<string, string[]>;
  }>;
}

interface CoreHttp {
  readonly HTTPFacilitatorClient: new (options: { url: string }) => CanonicalClient;
}

const core = canonicalPackage<CoreHttp>('@x402/core/http');

/** Whether the canonical packages are there. */
export const canonicalInstalled = core !== undefined;

export function canonicalClient(url: string): CanonicalClient {
  if (core === undefined) throw new Error('@x402/core is not installed');
  return new core.HTTPFacilitatorClient({ url });
}
