import type { ContractAddress } from '../../../protocol/index.ts';
import type { PolicySimulation } from '../../../protocol/policies/index.ts';
import { instanceKey } from '../../../protocol/stellar/index.ts';
import type { PolicyErrorCode } from '../policyError.ts';
import { POLICY_ERRORS } from '../policyError.ts';
import type { PolicyRecord } from '../policyRecords.ts';
import { reaching } from '../reaching.ts';
import { contractOf, type DeploymentParts } from './deployInstance.ts';
import { deployOperation } from './deployOperation.ts';
import { firstLine, simulateAsSponsor } from './sponsorTransaction.ts';

/** Returns what a deployment would cost and need, or why it would fail. Nothing is submitted. */
export async function simulateDeployment(
  record: PolicyRecord,
  { tools }: DeploymentParts,
): Promise<PolicySimulation> {
  const contract = contractOf(record);
  const { id, artifacts } = record;
  const keys = [artifacts.wallet, contract.contractId].map((address) =>
    instanceKey(address as ContractAddress),
  );
  const { entries } = await reaching(() => tools.network.getLedgerEntries(keys));
  const [wallet, instance] = entries;
  const known = { id, contractId: contract.contractId };
  const free = { cost: null, resources: null, errors: [] };
  if (instance !== undefined) {
    return { ...known, deployable: true, alreadyDeployed: true, ...free };
  }
  const refused = (code: PolicyErrorCode, message: string = POLICY_ERRORS[code].title) => ({
    ...known,
    ...free,
    deployable: false,
    alreadyDeployed: false,
    errors: [{ code, message }],
  });
  if (wallet === undefined) return refused('wallet_not_found');

  const operation = deployOperation(tools.signer.address, id, contract);
  const simulation = await simulateAsSponsor(operation, tools);
  if (simulation.status !== 'success') {
    return refused('deployment_failed', firstLine(simulation.error));
  }
  const { minResourceFee, transactionData } = simulation;
  const { footprint, instructions, diskReadBytes, writeBytes } = transactionData.resources;
  return {
    ...known,
    deployable: true,
    alreadyDeployed: false,
    errors: [],
    cost: {
      resourceFee: `${minResourceFee}`,
      inclusionFee: `${tools.inclusionFee}`,
      total: `${minResourceFee + tools.inclusionFee}`,
    },
    resources: {
      instructions,
      readEntries: footprint.readOnly.length + footprint.readWrite.length,
      writeEntries: footprint.readWrite.length,
      readBytes: diskReadBytes,
      writeBytes,
    },
  };
}
