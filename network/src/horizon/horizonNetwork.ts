import type { LedgerService } from '../close/index.ts';
import type { OpenAnswers } from './http/openAnswers.ts';

/** The network that Horizon serves. */
export interface HorizonNetwork {
  readonly service: Pick<LedgerService, 'engine' | 'fault' | 'history' | 'submit' | 'onClose'>;
  readonly passphrase: string;
  /** Null if it cannot be reached through a port. */
  readonly friendbotUrl: string | null;
  /** Open answers, to be ended when the network stops; without it, they end by themselves. */
  readonly openAnswers?: OpenAnswers;
  /** Called with errors that clients see only as an internal error. */
  readonly onFault?: (fault: Error) => void;
}
