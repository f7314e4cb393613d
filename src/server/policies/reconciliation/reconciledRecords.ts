import { parseContractAddress } from '../../../protocol/index.ts';
import type { ReconciledPolicyRecord } from '../../../protocol/policies/index.ts';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { StellarNetwork } from '../../network/index.ts';
import type { Database } from '../../store/index.ts';
import { PolicyError } from '../policyError.ts';
import type { PolicyRecord, PolicyRecords, PolicySlice } from '../policyRecords.ts';
import { reconcile } from './reconcile.ts';

/** Number of policies compared with the ledger at start; others are compared on request. */
const RECONCILED_AT_START = 1_000;

/** A page of a wallet's records. */
export interface WalletPolicies {
  readonly policies: readonly ReconciledPolicyRecord[];
  readonly total: number;
}

/** Returns policies with their state on the ledger; while the store is frozen, as stored. */
export class ReconciledRecords {
  readonly #database: Database;
  readonly #records: PolicyRecords;
  readonly #network: StellarNetwork;
  readonly #clock: Clock;

  constructor(database: Database, records: PolicyRecords, network: StellarNetwork, clock: Clock) {
    this.#database = database;
    this.#records = records;
    this.#network = network;
    this.#clock = clock;
  }

  async find(id: string): Promise<PolicyRecord> {
    const kept = await this.#records.find(id);
    if (this.#database.frozen !== undefined || kept.state === 'generated') return kept;
    const [now] = await this.#reconcile([kept]);
    return now?.record ?? kept;
  }

  /** @throws PolicyError `invalid_request` if it is not a contract, `ledger_unavailable` */
  async ofWallet(wallet: string, slice: PolicySlice): Promise<WalletPolicies> {
    if (parseContractAddress(wallet) === undefined) {
      throw new PolicyError('invalid_request', `${wallet} is not a contract (C…)`);
    }
    const { records: kept, total } = await this.#records.ofWallet(wallet, slice);
    const reconciled =
      this.#database.frozen === undefined
        ? await this.#reconcile(kept)
        : kept.map((record) => ({ record, ledger: null }));
    const policies = reconciled.map(({ record, ledger }) => ({
      policy: record.artifacts,
      deployTxHash: record.deployTxHash,
      attachTxHash: record.attachTxHash,
      ledger,
    }));
    return { policies, total };
  }

  /** Compares the latest policies with the ledger, and warns about missing ones. */
  async reconcileLatest(logger: Logger): Promise<void> {
    const kept = await this.#records.onLedger(RECONCILED_AT_START);
    const reconciled = await this.#reconcile(kept);
    const drifted = reconciled.filter(({ record }, index) => record.state !== kept[index]?.state);
    for (const { record } of drifted) {
      const { id, state } = record;
      logger.warn({ id, state }, 'a policy on the ledger differs from its record');
    }
  }

  #reconcile(kept: readonly PolicyRecord[]) {
    return reconcile(kept, this.#network, this.#records, this.#clock.now());
  }
}
