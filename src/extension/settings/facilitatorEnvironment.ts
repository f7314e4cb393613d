import type { NetworkAddresses } from './networkAddresses.ts';

/** The variables in which generated code and the examples find facilitator and network. */
export function facilitatorEnvironment({
  facilitatorUrl,
  rpcUrl,
  horizonUrl,
}: NetworkAddresses): Readonly<Record<string, string>> {
  // Without a facilitator nothing is set: a program's own .env applies then.
  if (facilitatorUrl === undefined) return {};
  return {
    FACILITATOR_URL: facilitatorUrl,
    ...(rpcUrl === undefined ? {} : { STELLAR_RPC_URL: rpcUrl }),
    ...(horizonUrl === undefined ? {} : { HORIZON_URL: horizonUrl }),
  };
}
