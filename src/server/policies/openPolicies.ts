import { parseContractAddress } from '../../protocol/index.ts';
import type {
  DeployedInstance,
  GeneratedPolicy,
  PolicySimulation,
  PolicyTemplate,
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
import { tokenDecimals } from './definition/tokenDecimals.ts';
import { type DeploymentParts, deployInstance, ensureModule } from './deployment/deployInstance.ts';
import { recordAttachment } from './deployment/recordAttachment.ts';
import { resumeDeployments } from './deployment/resumeDeployments.ts';
import { SharedWork } from './deployment/sharedWork.ts';
import { simulateDeployment } from './deployment/simulateDeployment.ts';
import { createSponsorTransactions } from './deployment/sponsorTransaction.ts';
import { openPasskeys, type Passkeys } from './passkeys/index.ts';
import { PolicyError } from './policyError.ts';
import { policyModules } from './policyModules.ts';
import { PolicyRecords, type PolicySlice } from './policyRecords.ts';
import { ReconciledRecords, type WalletPolicies } from './reconciliation/reconciledRecords.ts';
import { TEMPLATES } from './templates.ts';
import { WorkUnderWay } from './workUnderWay.ts';

/** The policy gateway without HTTP. Every method except the first rejects with PolicyError. */
export interface Policies {
  templates(): readonly PolicyTemplate[];
  /** Returns all problems of a definition. Queries an unknown token for its decimal places. */
  validate(definition: unknown): Promise<ValidationResult>;
  generate(definition: unknown): Promise<GeneratedPolicy>;
  simulate(id: string): Promise<PolicySimulation>;
  /**
   * @param proof that the caller controls the wallet; base64 XDR (docs/policies.md)
   * @param client under whose name the sponsor's spending is counted; `undefined` for the owner of this machine
   */
  deployInstance(id: string, proof: string | undefined, client?: string): Promise<DeployedInstance>;
  /** Records an attachment that is on the ledger. */
  record(id: string, attachTxHash: string): Promise<RecordedPolicy>;
  /**
   * Returns the policies that a wallet itself requested, newest first, after comparing them with the ledger.
   * @throws PolicyError `invalid_request` if it is not a contract, `ledger_unavailable`
   */
  ofWallet(wallet: string, slice: PolicySlice): Promise<WalletPolicies>;
  /** Requests for owners' passkeys, on a page on this machine. */
  readonly passkeys: Passkeys;
  /** Resolves when no work is in progress. */
  stop(): Promise<void>;
}

export interface PoliciesOptions {
  readonly network: StellarNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Database;
  /** The account that pays for deployments and is their deployer. */
  readonly signer: Signer;
  readonly config: {
    readonly sponsorFloorStroops: bigint;
    readonly inclusionFeeStroops: bigint;
    readonly uptoContractId: string | null;
    /** Whether callers of deploy-instance must prove that they control the wallet. */
    readonly policyProofRequired: boolean;
  };
}

/** Maximum number of deployments that one wallet can start in 24 hours: as many as an account can have policies. */
const DEPLOYMENTS_PER_DAY = 5;
/** The maximum for all wallets together, of which each client has a share. */
const DEPLOYMENTS_OF_ALL_PER_DAY = 200;

/** Opens the gateway and continues deployments that the end of the service interrupted. */
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
  const records = new PolicyRecords(database);
  const onLedger = new ReconciledRecords(database, records, network, clock);
  const underWay = new WorkUnderWay();
  const deployments = new SharedWork<DeployedInstance>(underWay);
  const uploads = new SharedWork<void>(underWay);
  const parts: DeploymentParts = {
    tools,
    records,
    modules,
    run: createSponsorTransactions(tools),
    perWalletAndDay: DEPLOYMENTS_PER_DAY,
    perDay: DEPLOYMENTS_OF_ALL_PER_DAY,
    once: (id, work) => deployments.once(`finish ${id}`, work),
    uploadOnce: (hash, work) => uploads.once(hash, work),
    proofRequired: config.policyProofRequired,
  };
  const setting: PolicySetting = {
    modules,
    deployer: signer.address,
    uptoContract: parseContractAddress(config.uptoContractId ?? ''),
  };
  // On a developer's own machine, every caller is the developer.
  const isOwner = !config.policyProofRequired;

  if (database.frozen === undefined) {
    const recovery = resumeDeployments(parts, logger).then(() => onLedger.reconcileLatest(logger));
    underWay.track(recovery).catch((error: unknown) => {
      logger.warn({ err: error }, 'could not look up policies of an earlier run');
    });
  }

  const deploy = (id: string, proof: string | undefined, client?: string) =>
    // A caller joins an attempt only with the same proof, so that a refused proof affects only its own caller.
    deployments.once(JSON.stringify([id, proof ?? null]), async () =>
      deployInstance(await onLedger.find(id), proof, client, parts),
    );
  const record = (id: string, attachTxHash: string) =>
    recordAttachment(id, attachTxHash, records, tools);
  const { run } = parts;
  const passkeys = openPasskeys(
    {
      tools,
      records,
      find: (id) => onLedger.find(id),
      run,
      deploy,
      record,
      makesAccounts: isOwner,
    },
    clock,
  );

  return {
    templates: () => Object.values(TEMPLATES),
    async validate(definition) {
      const read = readDefinition(definition, await tokenDecimals(definition, tools));
      return read.ok ? { valid: true, problems: [] } : { valid: false, problems: read.problems };
    },
    async generate(definition) {
      const read = readDefinition(definition, await tokenDecimals(definition, tools));
      if (!read.ok) throw new PolicyError('invalid_definition', undefined, read.problems);
      const policy = artifactsOf(read.definition, setting);
      const { artifacts } = await records.keep(policy, isOwner, clock.now());
      if (artifacts.contract !== null)
        await underWay.track(ensureModule(artifacts.contract, parts));
      return artifacts;
    },
    simulate: async (id) => simulateDeployment(await records.find(id), parts),
    deployInstance: deploy,
    record,
    ofWallet: (wallet, slice) => onLedger.ofWallet(wallet, slice),
    passkeys: {
      ...passkeys,
      answer: (token, answer) => underWay.track(passkeys.answer(token, answer)),
    },
    stop: () => underWay.idle(),
  };
}
