import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerService } from '../close/index.ts';
import type { ClosedLedger } from '../history/index.ts';
import type { Simulator } from '../simulator/index.ts';
import type { DryRun, LedgerKeyId, LedgerState } from '../state/index.ts';
import type { AddressNames } from '../trace/index.ts';
import type { AnswerFaults } from './answerFaults.ts';
import type { FundedAccount } from './fundAccounts.ts';
import type { Snapshots } from './snapshots.ts';

/** The network that the control methods work on. */
export interface ControlNetwork {
  readonly service: LedgerService;
  readonly simulator: Simulator;
  readonly passphrase: string;
  readonly snapshots: Snapshots;
  readonly faults: AnswerFaults;
  /** Supported protocols. */
  readonly protocols: readonly number[];
  /** Raises the protocol in a separate ledger. @throws LedgerServiceError */
  readonly upgradeProtocol: (protocol: number) => Promise<ClosedLedger>;
  /** Genesis accounts: this network has their keys, and friendbot needs its account. */
  readonly ownAccounts: readonly LedgerKeyId[];
  /** Accounts that were funded at the start. */
  readonly funded: readonly FundedAccount[];
  /** Settings that this network was started with, in addition to those of `initialState`. */
  readonly limits: readonly xdr.ConfigSettingEntry[];
  /** Returns the state with which this network began, at its current protocol. */
  readonly initialState: () => LedgerState;
  /** The names of the network's own accounts. */
  readonly accountNames: AddressNames;
  /** Loads the entries of a forked network that a dry run reads; does nothing on other networks. */
  readonly prefetch: (dryRun: DryRun) => Promise<void>;
  /** Reads entries of a forked network again when they are next needed; does nothing on other networks. */
  readonly forgetReads: () => void;
}
