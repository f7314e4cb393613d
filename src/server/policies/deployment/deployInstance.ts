import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../protocol/index.ts';
import {
  controlInvocation,
  type DeployedInstance,
  type PolicyContract,
} from '../../../protocol/policies/index.ts';
import { explainRefusal } from '../../../protocol/smartAccount/index.ts';
import { addressCredentials, instanceKey, readScAddress } from '../../../protocol/stellar/index.ts';
import { moduleKey } from '../contractIds.ts';
import { PolicyError } from '../policyError.ts';
import type { PolicyModules } from '../policyModules.ts';
import type { Begun, PolicyRecord, PolicyRecords, SponsoredLimit } from '../policyRecords.ts';
import { reaching } from '../reaching.ts';
import { isDue, keepAlive } from '../upkeep/keepAlive.ts';
import { dueLives } from '../upkeep/policyLives.ts';
import { deployOperation, uploadOperation } from './deployOperation.ts';
import {
  type createSponsorTransactions,
  firstLine,
  type SponsorTools,
  simulateAsSponsor,
} from './sponsorTransaction.ts';

export interface DeploymentParts {
  readonly tools: SponsorTools;
  readonly records: PolicyRecords;
  readonly modules: PolicyModules;
  readonly run: ReturnType<typeof createSponsorTransactions>;
  /**
   * Maximum deployments per day for one wallet, as often again for keeping its policies alive, and both for all wallets
   * together, of which each client has a share.
   */
  readonly perWalletAndDay: number;
  readonly perDay: number;
  /** Runs the work of one id once at a time; others get the same outcome. */
  readonly once: (id: string, work: () => Promise<DeployedInstance>) => Promise<DeployedInstance>;
  /** The same for the upload of a module. */
  readonly uploadOnce: (hash: string, work: () => Promise<void>) => Promise<void>;
  /** Whether callers must prove that they control the wallet. */
  readonly proofRequired: boolean;
}

const DAY_MS = 86_400_000;

/** Whether an entry is on the ledger. */
async function exists(key: ReturnType<typeof instanceKey>, { tools }: DeploymentParts) {
  const { entries } = await reaching(() => tools.network.getLedgerEntries([key]));
  return entries[0] !== undefined;
}

/** Returns the contract of a policy that has one. */
export function contractOf({ artifacts }: PolicyRecord): PolicyContract {
  if (artifacts.contract === null) throw new PolicyError('nothing_to_deploy');
  return artifacts.contract;
}

/**
 * Uploads a policy's module to the ledger unless it exists, once for all policies and at the sponsor's expense.
 */
export function ensureModule(contract: PolicyContract, parts: DeploymentParts): Promise<void> {
  return parts.uploadOnce(contract.wasmHash, () => uploadModule(contract, parts));
}

async function uploadModule(
  { wasmHash, module }: PolicyContract,
  parts: DeploymentParts,
): Promise<void> {
  if (await exists(moduleKey(Buffer.from(wasmHash, 'hex')), parts)) return;
  const { spendingLimit, verifiedOnly } = parts.modules;
  const found = [spendingLimit, verifiedOnly].find(({ hash, name }) => {
    return name === module && Buffer.from(hash).toString('hex') === wasmHash;
  });
  if (found === undefined) {
    throw new PolicyError(
      'deployment_failed',
      'the module belongs to another version of the gateway',
    );
  }
  await parts.run(uploadOperation(found.wasm));
}

/**
 * Deploys the contract of a policy (spec: POST /policies/:id/deploy-instance). Its address is derived
 * from its id, so the ledger has at most one, and another request continues an interrupted deployment.
 * If the contract is already deployed, this restores and extends the entries that its payments need. Whatever the sponsor pays
 * for is counted first.
 * @param client who asks for it; `undefined` for the owner of this machine
 */
export async function deployInstance(
  record: PolicyRecord,
  proof: string | undefined,
  client: string | undefined,
  parts: DeploymentParts,
): Promise<DeployedInstance> {
  const contract = contractOf(record);
  const wallet = record.artifacts.wallet as ContractAddress;
  const contractId = contract.contractId as ContractAddress;
  const { clock, network } = parts.tools;
  if (record.state === 'deployed' || record.state === 'recorded') {
    const due = await dueLives(wallet, contractId, network);
    if (isDue(due)) {
      await checkProof(wallet, contractId, proof, parts);
      await admitUpkeep(record, client, parts);
      await keepAlive(due, parts.run);
    }
    return answer(record);
  }
  if (!(await exists(instanceKey(contractId), parts))) {
    if (record.state === 'generated') {
      await admit(record, wallet, contractId, proof, client, parts);
    } else {
      await checkProof(wallet, contractId, proof, parts);
      // An attempt that fails on the ledger costs a fee each time.
      await admitUpkeep(record, client, parts);
    }
    // Each caller is checked on its own; the work after the checks is done only once.
    return parts.once(record.id, () => finish(record, contract, parts));
  }
  await parts.records.deployed(record.id, record.deployTxHash, clock.now());
  return answer({ ...record, state: 'deployed' });
}

/** Checks whether the caller may spend the sponsor's money, and how often. */
async function admit(
  record: PolicyRecord,
  wallet: ContractAddress,
  contractId: ContractAddress,
  proof: string | undefined,
  client: string | undefined,
  parts: DeploymentParts,
): Promise<void> {
  if (!(await exists(instanceKey(wallet), parts))) throw new PolicyError('wallet_not_found');
  await checkProof(wallet, contractId, proof, parts);
  refuseOverLimit(await parts.records.begin(record, limitOf(client, parts)));
  if (proof !== undefined) await parts.records.proved(record.id);
}

/** Checks how often the sponsor has paid for deployed policies already, and counts this time. */
async function admitUpkeep(
  record: PolicyRecord,
  client: string | undefined,
  parts: DeploymentParts,
): Promise<void> {
  refuseOverLimit(await parts.records.beginUpkeep(record, limitOf(client, parts)));
}

function limitOf(client: string | undefined, parts: DeploymentParts): SponsoredLimit {
  const now = parts.tools.clock.now();
  const { perWalletAndDay: ofWallet, perDay: inAll } = parts;
  return { ofWallet, inAll, client, isShared: parts.proofRequired, since: now - DAY_MS, now };
}

/** @throws PolicyError `wallet_rate_limited`, `gateway_rate_limited` */
function refuseOverLimit(begun: Begun): void {
  if (begun === 'wallet_limit') throw new PolicyError('wallet_rate_limited');
  if (begun === 'client_limit') throw new PolicyError('gateway_rate_limited');
}

/** @throws PolicyError `proof_required`, `proof_invalid` */
async function checkProof(
  wallet: ContractAddress,
  contractId: ContractAddress,
  proof: string | undefined,
  { tools, proofRequired }: DeploymentParts,
): Promise<void> {
  if (proof !== undefined) await checkControl(proof, wallet, contractId, tools);
  else if (proofRequired) throw new PolicyError('proof_required');
}

/** Finishes a deployment that was started, now or after a restart of the service. */
export async function finish(
  record: PolicyRecord,
  contract: PolicyContract,
  parts: DeploymentParts,
): Promise<DeployedInstance> {
  const { tools, records, run } = parts;
  const key = instanceKey(contract.contractId as ContractAddress);
  await ensureModule(contract, parts);
  const operation = deployOperation(tools.signer.address, record.id, contract);
  let hash = record.deployTxHash;
  try {
    hash = await run(operation, async (sending) => {
      hash = sending;
      await records.sending(record.id, sending, tools.clock.now());
    });
  } catch (error) {
    // An earlier attempt might have succeeded after all: the ledger decides.
    if (!(error instanceof PolicyError) || !(await exists(key, parts))) throw error;
  }
  await records.deployed(record.id, hash, tools.clock.now());
  return answer({ ...record, state: 'deployed', deployTxHash: hash });
}

function answer(record: PolicyRecord): DeployedInstance {
  const { contractId } = contractOf(record);
  const { id, state, deployTxHash } = record;
  return { id, state, contractId, deployTxHash };
}

/**
 * Checks a proof on the network: a simulation runs the wallet's own `__check_auth` over the signed
 * authorization. So any kind of account can prove control, but a key with a spending limit cannot, since
 * its policy refuses allowances.
 * @param proof base64 XDR of a `SorobanAuthorizationEntry`
 * @throws PolicyError `proof_invalid`
 */
async function checkControl(
  proof: string,
  wallet: ContractAddress,
  policy: ContractAddress,
  tools: SponsorTools,
): Promise<void> {
  const entry = decode(proof);
  const expected = new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      controlInvocation(wallet, policy),
    ),
    subInvocations: [],
  });
  const credentials = addressCredentials(entry.credentials);
  if (credentials === undefined || readScAddress(credentials.address) !== wallet) {
    throw new PolicyError('proof_invalid', 'it is not signed by the wallet');
  }
  if (entry.rootInvocation.toXdr('base64') !== expected.toXdr('base64')) {
    throw new PolicyError('proof_invalid', 'it authorizes something else');
  }
  const call = xdr.HostFunction.hostFunctionTypeInvokeContract(controlInvocation(wallet, policy));
  const operation = new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({ hostFunction: call, auth: [entry] }),
    ),
  });
  const simulation = await simulateAsSponsor(operation, tools);
  if (simulation.status !== 'success') {
    const refusal = explainRefusal(simulation.error);
    throw new PolicyError('proof_invalid', refusal?.message ?? firstLine(simulation.error));
  }
}

function decode(proof: string): xdr.SorobanAuthorizationEntry {
  try {
    return xdr.SorobanAuthorizationEntry.fromXdr(proof, 'base64');
  } catch {
    throw new PolicyError('proof_invalid', 'it is not an authorization entry in base64');
  }
}
