import type { ContractAddress } from '../../protocol/index.ts';
import type { ReconciledPolicyRecord } from '../../protocol/policies/index.ts';
import type { WalletReading } from '../policies/index.ts';
import {
  connectGateway,
  type Gateway,
  ledgerNow,
  type ShownPolicy,
  shownPolicies,
} from '../policies/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

/** What the ledger and the gateway report about the configured smart account. */
export interface PolicyReading {
  readonly wallet: WalletReading;
  readonly shown: readonly ShownPolicy[];
  /** Why the gateway's records are missing; `undefined` if they are not. */
  readonly gatewayProblem: string | undefined;
  /** Seconds of the ledger's clock. */
  readonly now: bigint;
}

const REVOKED = 'revokedPolicies';

function revokedHere({ context }: App): readonly string[] {
  return context.globalState.get<readonly string[]>(REVOKED, []);
}

/**
 * Remembers that a policy was revoked, or attached again: gateways no longer distinguish these from new ones.
 * @param policy its contract, or the gateway's id of limits, which have none
 */
export async function noteRevoked(app: App, policy: string, revoked: boolean): Promise<void> {
  const others = revokedHere(app).filter((one) => one !== policy);
  await app.context.globalState.update(REVOKED, revoked ? [...others, policy] : others);
}

/** The gateway of the chosen network; the local service's when none is set. */
export function gatewayOf(app: App): Gateway | undefined {
  const url = app.addresses.policyGatewayUrl;
  return url === undefined ? undefined : connectGateway(url, app.transport);
}

/** Reads both; if the gateway fails, returns the ledger's part. @throws ReadError */
export async function readPolicies(
  app: App,
  wallet: ContractAddress,
  signal?: AbortSignal,
): Promise<PolicyReading> {
  const { rpcUrl } = app.addresses;
  if (rpcUrl === undefined) throw new Error(t("The network isn't running."));
  const { readKeyPolicies, readWalletPolicies } = await import('../testPayment/index.ts');
  const [reading, records] = await Promise.all([
    readWalletPolicies(rpcUrl, wallet, app.transport, signal),
    recordsOf(app, wallet, signal),
  ]);
  const isWallet = reading.kind === 'wallet';
  const problem = typeof records === 'string' ? records : undefined;
  const kept = typeof records === 'string' ? undefined : records;
  const signers = (kept ?? [])
    .filter(({ policy }) => policy.contract === null)
    .map(({ policy }) => [policy.id, policy.attach.signerXdr] as const);
  const limits = await readKeyPolicies(rpcUrl, wallet, new Map(signers), app.transport, signal);
  return {
    wallet: reading,
    shown: shownPolicies(
      isWallet ? reading.policies : [],
      kept,
      new Set(revokedHere(app)),
      isWallet ? limits : new Map(),
    ),
    gatewayProblem: problem,
    now: ledgerNow(isWallet ? reading.ledgerTime : 0n, Date.now()),
  };
}

async function recordsOf(
  app: App,
  wallet: string,
  signal?: AbortSignal,
): Promise<readonly ReconciledPolicyRecord[] | string> {
  const gateway = gatewayOf(app);
  if (gateway === undefined) return t('No policy gateway is set for this network.');
  try {
    return await gateway.ofWallet(wallet, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}
