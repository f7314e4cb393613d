import { parseContractAddress, parseSettlementHash } from '../../protocol/index.ts';
import type {
  DeployedInstance,
  GeneratedPolicy,
  PolicySimulation,
  PolicyTemplate,
  ReconciledPolicyRecord,
  RecordedPolicy,
  ValidationResult,
} from '../../protocol/policies/index.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { StellarNetwork } from '../network/index.ts';
import { createSponsor, type Signer } from '../settlement/index.ts';
import type { Database } from '../store/index.ts';
import { artifactsOf, type PolicySetting } from './artifacts.ts';
import { readDefinition } from './definition/readDefinition.ts';
import { checkAttached } from './deployment/attachment.ts';
import {
  contractOf,
  type DeploymentParts,
  deployInstance,
  ensureModule,
  finish,
} from './deployment/deployInstance.ts';
import { simulateDeployment } from './deployment/simulateDeployment.ts';
import { createSponsorTransactions } from './deployment/sponsorTransaction.ts';
import { openPasskeys, type Passkeys } from './passkeys/index.ts';
import { PolicyError } from './policyError.ts';
import { policyModules } from './policyModules.ts';
import { createPolicyRecords, type PolicyRecord, type PolicySlice } from './policyRecords.ts';
import { reaching } from './reaching.ts';
import { reconcile } from './reconciliation/reconcile.ts';
import { TEMPLATES } from './templates.ts';

/** A page of what is kept of a wallet. */
export interface WalletPolicies {
  readonly policies: readonly ReconciledPolicyRecord[];
  readonly total: number;
}

/** The policy gateway without HTTP. Every method but the first two rejects with PolicyError. */
export interface Policies {
  templates(): readonly PolicyTemplate[];
  /** Everything that is wrong with a definition; no other check is made. */
  validate(definition: unknown): ValidationResult;
  generate(definition: unknown): Promise<GeneratedPolicy>;
  simulate(id: string): Promise<PolicySimulation>;
  /** @param proof that the caller controls the wallet; base64 XDR (docs/policies.md) */
  deployInstance(id: string, proof: string | undefined): Promise<DeployedInstance>;
  /** Records an attach that the ledger shows. */
  record(id: string, attachTxHash: string): Promise<RecordedPolicy>;
  /**
   * What a wallet itself asked for, held against the ledger first; the newest first.
   * @throws PolicyError `invalid_request` when it is no contract, `ledger_unavailable`
   */
  ofWallet(wallet: string, slice: PolicySlice): Promise<WalletPolicies>;
  /** What owners' passkeys are asked for, by a page on this machine. */
  readonly passkeys: Passkeys;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

export interface PoliciesOptions {
  readonly network: StellarNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Database;
  /** Pays for deployments and is the address that deploys. */
  readonly signer: Signer;
  readonly config: {
    readonly sponsorFloorStroops: bigint;
    readonly inclusionFeeStroops: bigint;
    readonly uptoContractId: string | null;
    /** Whether callers of deploy-instance must show that they control the wallet. */
    readonly policyProofRequired: boolean;
  };
}

/** Policies that one wallet may begin to deploy in 24 hours: as many as an account can have. */
const DEPLOYMENTS_PER_DAY = 5;
/** The same of all wallets: what strangers can make the sponsor pay for deployments is bounded. */
const DEPLOYMENTS_OF_ALL_PER_DAY = 200;

/** As many policies are held against the ledger at start; the others when somebody asks for them. */
const RECONCILED_AT_START = 1_000;

/** Opens the gateway and goes on with deployments that an end of the service interrupted. */
export function openPolicies(options: PoliciesOptions): Policies {
  const { network, clock, logger, database, signer, config } = options;
  const floor = config.sponsorFloorStroops;
  const tools = {
    network,
    clock,
    signer,
    sponsor: createSponsor({ signer, floor, network, clock }),
    inclusionFee: config.inclusionFeeStroops,
  };
  const modules = policyModules();
  const records = createPolicyRecords(database);
  const parts: DeploymentParts = {
    tools,
    records,
    modules,
    run: createSponsorTransactions(tools),
    perWalletAndDay: DEPLOYMENTS_PER_DAY,
    perDay: DEPLOYMENTS_OF_ALL_PER_DAY,
    once: (id, work) => once(`finish ${id}`, work),
    proofRequired: config.policyProofRequired,
  };
  const setting: PolicySetting = {
    modules,
    deployer: signer.address,
    uptoContract: parseContractAddress(config.uptoContractId ?? ''),
  };
  /** Work by what it is: callers who ask for the very same get the same answer. */
  const deploying = new Map<string, Promise<DeployedInstance>>();
  const underWay = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const done = (): boolean => underWay.delete(work);
    work.then(done, done);
    return work;
  }

  function once(id: string, work: () => Promise<DeployedInstance>): Promise<DeployedInstance> {
    const earlier = deploying.get(id);
    if (earlier !== undefined) return earlier;
    const started = track(work().finally(() => deploying.delete(id)));
    deploying.set(id, started);
    return started;
  }

  async function resume(): Promise<void> {
    for (const record of await records.interrupted()) {
      const { id } = record;
      await parts
        .once(id, () => finish(record, contractOf(record), parts))
        .then(
          ({ contractId }) => logger.info({ id, contractId }, 'interrupted deployment ended'),
          (error: unknown) => logger.warn({ id, err: error }, 'interrupted deployment not ended'),
        );
    }
  }
  async function reconcileAll(): Promise<void> {
    const kept = await records.onLedger(RECONCILED_AT_START);
    const reconciled = await reconcile(kept, network, records, clock.now());
    const drifted = reconciled.filter(({ record }, index) => record.state !== kept[index]?.state);
    for (const { record } of drifted) {
      const { id, state } = record;
      logger.warn({ id, state }, 'a policy is not on the ledger as it was recorded');
    }
  }
  if (database.frozen === undefined) {
    track(resume().then(reconcileAll)).catch((error: unknown) => {
      logger.warn({ err: error }, 'policies of an earlier run not looked up');
    });
  }

  /** A policy as the ledger has it; while the store is frozen, as it is kept. */
  async function findNow(id: string): Promise<PolicyRecord> {
    const kept = await records.find(id);
    if (database.frozen !== undefined || kept.state === 'generated') return kept;
    const [now] = await reconcile([kept], network, records, clock.now());
    return now?.record ?? kept;
  }

  async function record(id: string, attachTxHash: string): Promise<RecordedPolicy> {
    const hash = parseSettlementHash(attachTxHash);
    if (hash === undefined) {
      throw new PolicyError('invalid_request', 'attachTxHash is no hash of a transaction');
    }
    const kept = await records.find(id);
    const { contract } = kept.artifacts;
    if (contract !== null && kept.state !== 'deployed' && kept.state !== 'recorded') {
      throw new PolicyError('not_deployed');
    }
    await reaching(() => checkAttached(hash, kept.artifacts, network));
    await records.recorded(id, hash, clock.now());
    return { id, state: 'recorded', contractId: contract?.contractId ?? null, attachTxHash: hash };
  }

  const { run } = parts;
  const makesAccounts = !config.policyProofRequired;
  const deploy = (id: string, proof: string | undefined) =>
    // A caller joins an attempt only with the same proof: one that is refused takes nobody along.
    once(JSON.stringify([id, proof ?? null]), async () =>
      deployInstance(await findNow(id), proof, parts),
    );
  const passkeys = openPasskeys({ tools, records, run, deploy, record, makesAccounts }, clock);

  return {
    templates: () => Object.values(TEMPLATES),
    validate(definition) {
      const read = readDefinition(definition);
      return read.ok ? { valid: true, problems: [] } : { valid: false, problems: read.problems };
    },
    async generate(definition) {
      const read = readDefinition(definition);
      if (!read.ok) throw new PolicyError('invalid_definition', undefined, read.problems);
      // On a developer's own machine whoever asks is the developer.
      const own = !config.policyProofRequired;
      const policy = artifactsOf(read.definition, setting);
      const { artifacts } = await records.keep(policy, own, clock.now());
      if (artifacts.contract !== null) await track(ensureModule(artifacts.contract, parts));
      return artifacts;
    },
    async simulate(id) {
      return simulateDeployment(await records.find(id), parts);
    },
    deployInstance: deploy,
    record,
    async ofWallet(wallet, slice) {
      if (parseContractAddress(wallet) === undefined) {
        throw new PolicyError('invalid_request', `${wallet} is no contract (C…)`);
      }
      const { records: kept, total } = await records.ofWallet(wallet, slice);
      const reconciled =
        database.frozen === undefined
          ? await reconcile(kept, network, records, clock.now())
          : kept.map((record) => ({ record, ledger: null }));
      const policies = reconciled.map(({ record, ledger }) => ({
        policy: record.artifacts,
        deployTxHash: record.deployTxHash,
        attachTxHash: record.attachTxHash,
        ledger,
      }));
      return { policies, total };
    },
    passkeys: { ...passkeys, answer: (token, answer) => track(passkeys.answer(token, answer)) },
    async stop() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
