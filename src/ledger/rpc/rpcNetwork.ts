import type { LedgerService } from '../close/index.ts';
import type { Simulator } from '../simulator/index.ts';
import type { SimulatedInvocation } from './simulation.ts';
import type { Work } from './workBudget.ts';

/** What the methods of Stellar RPC answer from. */
export interface RpcNetwork {
  readonly service: LedgerService;
  readonly simulator: Simulator;
  readonly passphrase: string;
  /** Null where there is no port to reach it by. */
  readonly friendbotUrl: string | null;
  /** Whether simulations record address-bound credentials where `useUpgradedAuth` asks for them. */
  readonly upgradedAuth: boolean;
  /** What names the build of the Soroban host: 40 hexadecimal digits. */
  readonly hostDigest: () => string;
  /** The most closed ledgers that are available. */
  readonly retainedLedgers: number;
  /** Called with the work that a call causes. */
  readonly spend: (work: Work, amount: number) => void;
  /** Called with every simulated call of a contract. */
  readonly simulated?: ((simulation: SimulatedInvocation) => void) | undefined;
  /** Whether other calls wait for this thread. */
  readonly crowded: () => boolean;
  /** Awaited between the items of a list: lets other requests run when this one has used up its time. */
  readonly pause: () => Promise<void>;
}
