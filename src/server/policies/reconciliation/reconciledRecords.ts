import type * as xdr from '@stellar/stellar-sdk/xdr';
import { EARLIER_MODULE_HASHES, MODULE_HASHES } from '../../../protocol/bindings/index.ts';
import { type ContractAddress, parseContractAddress } from '../../../protocol/index.ts';
import type {
  LedgerStanding,
  PolicyContract,
  PolicySummary,
  ReconciledPolicyRecord,
} from '../../../protocol/policies/index.ts';
import { instanceKey } from '../../../protocol/stellar/index.ts';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { StellarNetwork } from '../../network/index.ts';
import type { Database } from '../../store/index.ts';
import { attachedSigner } from '../deployment/attachedSigner.ts';
import { limitOnLedger, summarizedLimit } from '../limitOnLedger.ts';
import { summaryOfLimit } from '../limitSummary.ts';
import { PolicyError } from '../policyError.ts';
import type { PolicyRecord, PolicyRecords, PolicySlice } from '../policyRecords.ts';
import { reaching } from '../reaching.ts';
import { moduleOf } from '../upkeep/policyLives.ts';

/** A stored policy and its state on the ledger. */
interface Reconciled {
  readonly record: PolicyRecord;
  readonly ledger: LedgerStanding;
}

/** Modules of smart accounts, of this version and of earlier ones: hashes, hex. */
const ACCOUNTS: ReadonlySet<string> = new Set([
  MODULE_HASHES['smart-account'],
  ...EARLIER_MODULE_HASHES['smart-account'],
]);

/** Policies per call: each has four keys, and a Stellar RPC accepts 200 keys at once. */
const AT_ONCE = 50;

/**
 * Compares stored policies with the ledger, which is authoritative: wallets remove policies and are
 * upgraded without notifying the gateway, and test networks are reset. If its contract does not exist, a
 * policy becomes `generated` again; if the wallet has removed it, `deployed`. Limits of a key, which have
 * no contract, become `generated` again if the key or its limits are gone.
 */
async function reconcile(
  kept: readonly PolicyRecord[],
  network: StellarNetwork,
  records: PolicyRecords,
  now: number,
): Promise<readonly Reconciled[]> {
  const reconciled: Reconciled[] = [];
  for (let from = 0; from < kept.length; from += AT_ONCE) {
    const batch = kept.slice(from, from + AT_ONCE);
    const { standings, summaries, sure } = await look(batch, network);
    for (const [index, record] of batch.entries()) {
      const ledger = standings[index];
      if (ledger === undefined) continue;
      const state = sure ? stateBy(record, ledger) : record.state;
      const mended = state === record.state ? record : await records.drifted(record, state, now);
      reconciled.push({ record: withSummary(mended, summaries[index]), ledger });
    }
  }
  return reconciled;
}

/** Limits that an owner has changed replace the original ones in the summary. */
function withSummary(record: PolicyRecord, summary: PolicySummary | undefined): PolicyRecord {
  return summary === undefined
    ? record
    : { ...record, artifacts: { ...record.artifacts, summary } };
}

function stateBy({ state, artifacts }: PolicyRecord, { deployed, attached }: LedgerStanding) {
  if (state !== 'deployed' && state !== 'recorded') return state;
  if (!deployed || (artifacts.contract === null && !attached)) return 'generated';
  return attached ? state : 'deployed';
}

async function look(batch: readonly PolicyRecord[], network: StellarNetwork) {
  const wanted = batch.map(({ artifacts }) => {
    const signer = attachedSigner(artifacts);
    const account = instanceKey(artifacts.wallet as ContractAddress);
    // A policy that the account itself enforces has no contract other than the account.
    const policy = artifacts.contract?.contractId as ContractAddress | undefined;
    const enforcing = policy === undefined ? account : instanceKey(policy);
    return { signer, keys: [account, enforcing, ...signer.entries] };
  });
  const found = await reaching(() => network.getLedgerEntries(wanted.flatMap(({ keys }) => keys)));
  let at = 0;
  const summaries: (PolicySummary | undefined)[] = [];
  const standings = wanted.map(({ signer, keys }, index): LedgerStanding => {
    const [account, enforcing, ...signers] = found.entries.slice(at, at + keys.length);
    at += keys.length;
    summaries.push(changedSummary(batch[index]?.artifacts.contract, enforcing));
    const module = moduleOf(account);
    const isKnown = module !== undefined && ACCOUNTS.has(Buffer.from(module).toString('hex'));
    return {
      deployed: enforcing !== undefined,
      attached: signers.some(signer.isHeld),
      account: account === undefined ? 'missing' : isKnown ? 'known' : 'other',
    };
  });
  // A server that lags behind might not have recent changes yet.
  return { standings, summaries, sure: !network.isBehind(found.latestLedger) };
}

/**
 * Summarizes the limits of a policy that an owner has changed since it was generated.
 * @param instance the entry of the policy's contract
 * @returns `undefined` if the limits have not changed
 */
function changedSummary(
  contract: PolicyContract | null | undefined,
  instance: xdr.LedgerEntryData | undefined,
): PolicySummary | undefined {
  const module = moduleOf(instance);
  if (contract?.decimals === undefined || module === undefined) return undefined;
  if (Buffer.from(module).toString('hex') !== contract.wasmHash) return undefined;
  const limit = limitOnLedger(instance);
  if (limit === undefined || (limit.revision ?? 0) === 0) return undefined;
  return summaryOfLimit(summarizedLimit(limit, contract.decimals));
}

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
