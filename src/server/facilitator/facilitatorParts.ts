import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { StellarNetwork } from '../network/index.ts';
import type { ChannelPool, Membership, SettlementJournal, Sponsor } from '../settlement/index.ts';
import type { PayerBackOff, PayerFunds, SpendControls, UnprovenPayers } from './limits/index.ts';
import type { LocalSettlements } from './localSettlements.ts';
import type { OnSettled, PaymentScheme } from './payment/index.ts';
import type { StallWatch } from './stallWatch.ts';
import type { StellarAssets } from './stellarAssets.ts';
import type { FateSource } from './truth/index.ts';

/** The parts that verification and settlement use. One of each per process. */
export interface FacilitatorParts {
  readonly schemes: readonly PaymentScheme[];
  readonly network: StellarNetwork;
  /** What the ledger has of authorizations. */
  readonly fates: FateSource;
  readonly assets: StellarAssets;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: SettlementJournal;
  readonly membership: Membership;
  /** Returns a unique id for a settlement. */
  readonly newId: () => string;
  readonly local: LocalSettlements;
  /** Only if instances share a store: an instance that stalled must not undo a refusal that another made meanwhile. */
  readonly stalls: StallWatch | undefined;
  readonly sponsor: Sponsor;
  readonly spendControls: SpendControls;
  readonly payerFunds: PayerFunds;
  readonly unproven: UnprovenPayers;
  readonly backOff: PayerBackOff;
  readonly channels: ChannelPool;
  readonly onSettled: OnSettled;
  readonly limits: {
    readonly maxTxFeeStroops: bigint;
    readonly inclusionFeeStroops: bigint;
    readonly payerInFlight: number;
    readonly channelWaitMs: number;
    readonly confirmationMs: number;
    readonly answerWithinMs: number;
    readonly horizonUrl: string | null;
  };
  /** The present network, of those that the store has seen. */
  readonly networkId: number;
  /** Whether the service is still running. */
  readonly running: () => boolean;
  /** Whether it stopped because the network began again. */
  readonly wasReset: () => boolean;
}
