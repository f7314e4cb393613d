import type { NetworkAddresses } from './networkAddresses.ts';

/** The variables from which generated code and the examples read the facilitator and network addresses. */
export function facilitatorEnvironment({
  facilitatorUrl,
  rpcUrl,
  horizonUrl,
}: NetworkAddresses): Readonly<Record<string, string>> {
  // Without a facilitator, nothing is set, so that a program's own .env applies.
  if (facilitatorUrl === undefined) return {};
  return {
    FACILITATOR_URL: facilitatorUrl,
    ...(rpcUrl === undefined ? {} : { STELLAR_RPC_URL: rpcUrl }),
    ...(horizonUrl === undefined ? {} : { HORIZON_URL: horizonUrl }),
  };
}
