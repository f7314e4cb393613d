import type { LedgerService } from '../close/index.ts';

/** What the methods of Stellar RPC answer from. */
export interface RpcNetwork {
  readonly service: LedgerService;
  readonly passphrase: string;
  /** Null where there is no port to reach it by. */
  readonly friendbotUrl: string | null;
  /** How many closed ledgers can be asked for at most. */
  readonly retainedLedgers: number;
}
