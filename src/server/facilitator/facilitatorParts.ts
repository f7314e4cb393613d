import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { StellarNetwork } from '../network/index.ts';
import type { ChannelPool, ReplayGuard, Sponsor } from '../settlement/index.ts';
import type { OnSettled } from './onSettled.ts';
import type { PaymentScheme } from './paymentScheme.ts';
import type { PendingSettlements } from './pendingSettlements.ts';
import type { SpendControls } from './spendControls.ts';

/** What verification and settlement are made of. One of each in a process. */
export interface FacilitatorParts {
  readonly schemes: readonly PaymentScheme[];
  readonly network: StellarNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly replayGuard: ReplayGuard;
  readonly pending: PendingSettlements;
  readonly sponsor: Sponsor;
  readonly spendControls: SpendControls;
  readonly channels: ChannelPool;
  readonly onSettled: OnSettled;
  readonly limits: {
    readonly maxTxFeeStroops: bigint;
    readonly inclusionFeeStroops: bigint;
    readonly channelWaitMs: number;
    readonly confirmationMs: number;
    readonly answerWithinMs: number;
  };
  /** Whether the service still runs. */
  readonly running: () => boolean;
}
