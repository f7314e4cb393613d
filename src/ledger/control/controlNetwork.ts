import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerService } from '../close/index.ts';
import type { ClosedLedger } from '../history/index.ts';
import type { Simulator } from '../simulator/index.ts';
import type { DryRun, LedgerKeyId, LedgerState } from '../state/index.ts';
import type { AddressNames } from '../trace/index.ts';
import type { AnswerFaults } from './answerFaults.ts';
import type { FundedAccount } from './fundAccounts.ts';
import type { Snapshots } from './snapshots.ts';

/** What the methods of control work on. */
export interface ControlNetwork {
  readonly service: LedgerService;
  readonly simulator: Simulator;
  readonly passphrase: string;
  readonly snapshots: Snapshots;
  readonly faults: AnswerFaults;
  /** Protocols that can be run. */
  readonly protocols: readonly number[];
  /** Raises the protocol in a ledger of its own. @throws LedgerServiceError */
  readonly upgradeProtocol: (protocol: number) => Promise<ClosedLedger>;
  /** Accounts of genesis: this network has their keys, and friendbot needs its own. */
  readonly ownAccounts: readonly LedgerKeyId[];
  /** Accounts that were funded at the start. */
  readonly funded: readonly FundedAccount[];
  /** Settings that this network was started with, beside those of `initialState`. */
  readonly limits: readonly xdr.ConfigSettingEntry[];
  /** Returns the state that this network began with, at the protocol that it runs. */
  readonly initialState: () => LedgerState;
  /** What the network's own accounts are called. */
  readonly accountNames: AddressNames;
  /** Loads the entries of a forked network that a dry run reads; does nothing on other networks. */
  readonly prefetch: (dryRun: DryRun) => Promise<void>;
  /** Reads entries of a forked network again when they are next needed; does nothing on other networks. */
  readonly forgetReads: () => void;
}
