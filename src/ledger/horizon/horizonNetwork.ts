import type { LedgerService } from '../close/index.ts';
import type { OpenAnswers } from './http/openAnswers.ts';

/** What Horizon answers from. */
export interface HorizonNetwork {
  readonly service: Pick<LedgerService, 'engine' | 'history' | 'submit' | 'onClose'>;
  readonly passphrase: string;
  /** Null where there is no port to reach it by. */
  readonly friendbotUrl: string | null;
  /** Where answers that stay open are ended when the network is; without it they end by themselves. */
  readonly openAnswers?: OpenAnswers;
  /** Called with faults that clients only see as an internal error. */
  readonly onFault?: (fault: Error) => void;
}
