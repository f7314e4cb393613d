import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerService } from '../close/index.ts';
import type { ClosedLedger } from '../history/index.ts';
import type { AnswerFault } from '../rpc/index.ts';
import type { Simulator } from '../simulator/index.ts';
import type { DryRun, LedgerKeyId, LedgerState } from '../state/index.ts';
import type { AddressNames } from '../trace/index.ts';
import type { FundedAccount } from './fundAccounts.ts';
import { imageOf, type StateImage } from './stateImage.ts';

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

/** Maximum number of snapshots; beyond it, the oldest is removed. */
const MOST = 256;

/** States to return to, kept in memory. */
export class Snapshots {
  readonly #images = new Map<string, StateImage>();
  #count = 0;

  /** @returns its id */
  take(state: LedgerState): string {
    this.#count += 1;
    const id = String(this.#count);
    this.#images.set(id, imageOf(state));
    const [oldest] = this.#images.keys();
    if (this.#images.size > MOST && oldest !== undefined) this.#images.delete(oldest);
    return id;
  }

  get(id: string): StateImage | undefined {
    return this.#images.get(id);
  }

  /** Deletes all snapshots. Their ids are not used again. */
  clear(): void {
    this.#images.clear();
  }

  /** Deletes the snapshots taken after this one. */
  dropAfter(id: string): void {
    for (const other of this.#images.keys())
      if (Number(other) > Number(id)) this.#images.delete(other);
  }
}

/** A fault for the next calls of a method. */
interface PendingFault {
  readonly method: string;
  readonly fault: AnswerFault;
  times: number;
}

/** The faults of the next answers, in the order in which they were requested. */
export class AnswerFaults {
  #pending: PendingFault[] = [];

  /** @returns how many calls of the method will fail */
  add(method: string, fault: AnswerFault, times: number): number {
    this.#pending.push({ method, fault, times });
    return this.#pending
      .filter((one) => one.method === method)
      .reduce((sum, one) => sum + one.times, 0);
  }

  /** Returns the fault for this call of a method, and counts it. */
  take(method: string): AnswerFault | undefined {
    const found = this.#pending.find((one) => one.method === method);
    if (found === undefined) return undefined;
    found.times -= 1;
    if (found.times === 0) this.#pending = this.#pending.filter((one) => one !== found);
    return found.fault;
  }

  /** @returns how many calls would have failed */
  clear(): number {
    const count = this.#pending.reduce((sum, { times }) => sum + times, 0);
    this.#pending = [];
    return count;
  }
}
