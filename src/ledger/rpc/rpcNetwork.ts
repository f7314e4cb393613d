import type { LedgerService } from '../close/index.ts';
import type { Work } from './workBudget.ts';

/** What the methods of Stellar RPC answer from. */
export interface RpcNetwork {
  readonly service: LedgerService;
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
  /** Awaited between the items of a list: lets other requests run, where this one has had its turn. */
  readonly pause: () => Promise<void>;
}
