import type { LedgerService } from '../close/index.ts';
import type { Simulator } from '../simulator/index.ts';
import type { SimulatedInvocation } from './simulation.ts';
import type { Work } from './workBudget.ts';

/** The network that the Stellar RPC methods serve. */
export interface RpcNetwork {
  readonly service: LedgerService;
  readonly simulator: Simulator;
  readonly passphrase: string;
  /** Null if it cannot be reached through a port. */
  readonly friendbotUrl: string | null;
  /** Whether simulations record address-bound credentials if `useUpgradedAuth` requests them. */
  readonly upgradedAuth: boolean;
  /** The Soroban host's build identifier: 40 hexadecimal digits. */
  readonly hostDigest: () => string;
  /** Maximum number of available closed ledgers. */
  readonly retainedLedgers: number;
  /** Called with the work that a call causes. */
  readonly spend: (work: Work, amount: number) => void;
  /** Called with every simulated contract call. */
  readonly simulated?: ((simulation: SimulatedInvocation) => void) | undefined;
  /** Whether other calls are waiting for this thread. */
  readonly crowded: () => boolean;
  /** Awaited between the items of a list: lets other requests run once this one has used up its time. */
  readonly pause: () => Promise<void>;
}
