import { window } from 'vscode';
import { type ContractAddress, formatDecimalAmount } from '../../../protocol/index.ts';
import type {
  GeneratedPolicy,
  PolicyDefinition,
  PolicySimulation,
} from '../../../protocol/policies/index.ts';
import type { Gateway } from '../../policies/index.ts';
import { t } from '../../words/index.ts';
import { askDefinition } from '../policyForm.ts';
import { noteRevoked } from '../policyReading.ts';
import { attachRecord, deploy } from './attachPolicy.ts';
import { type PolicyDesk, recordOf, requireGateway, working } from './policyDesk.ts';

/** "Svc: Create Spending Policy" */
export async function createPolicy(desk: PolicyDesk): Promise<void> {
  const { app, refresh } = desk;
  const found = await requireGateway(app);
  if (found === undefined) return;
  const { wallet, gateway } = found;
  const definition = await askDefinition(wallet, await gateway.templates(), gateway.validate);
  if (definition === undefined) return;
  if (definition.type === 'multisig' || definition.type === 'allow_list') {
    await createLimits(desk, wallet, gateway, definition);
    return;
  }
  const [policy, simulation] = await working(t('Generating and testing the policy'), async () => {
    const generated = await gateway.generate(definition);
    return [generated, await gateway.simulate(generated.id)] as const;
  });
  const [deployAndAttach, only] = [t('Deploy and Attach'), t('Deploy Only')];
  const choice = await window.showInformationMessage(
    policy.summary.title,
    { modal: true, detail: describe(policy, priceOf(simulation)) },
    ...(simulation.deployable ? [deployAndAttach, only] : []),
  );
  if (choice === undefined) return;
  if (!(await deploy(app, wallet, gateway, policy.id))) return;
  if (policy.contract !== null) await noteRevoked(app, policy.contract.contractId, false);
  refresh();
  if (choice === deployAndAttach) {
    await attachRecord(desk, wallet, await recordOf(gateway, wallet, policy.id), gateway);
  }
}

/** Limits of a key: no contract is deployed, so there is nothing to test and nothing to pay. */
async function createLimits(
  desk: PolicyDesk,
  wallet: ContractAddress,
  gateway: Gateway,
  definition: PolicyDefinition,
): Promise<void> {
  const { app, refresh } = desk;
  const policy = await working(t('Generating the policy'), () => gateway.generate(definition));
  await noteRevoked(app, policy.id, false);
  refresh();
  const [now, later] = [t('Attach'), t('Attach Later')];
  const detail = describe(policy, t('Nothing is deployed.'));
  const choice = await window.showInformationMessage(
    policy.summary.title,
    { modal: true, detail },
    now,
    later,
  );
  if (choice === now)
    await attachRecord(desk, wallet, await recordOf(gateway, wallet, policy.id), gateway);
}

function priceOf({ cost, alreadyDeployed, errors }: PolicySimulation): string {
  if (cost !== null) {
    return t(
      'Deployment: up to {0} XLM, paid by the gateway’s sponsor.',
      formatDecimalAmount(BigInt(cost.total)),
    );
  }
  return alreadyDeployed
    ? t('It is already deployed.')
    : errors.map(({ message }) => message).join(' ');
}

/** The gateway's own description. @param price what the deployment costs */
function describe({ summary, enforcementLabel }: GeneratedPolicy, price: string) {
  const list = (title: string, items: readonly string[]) =>
    `${title}\n${items.map((item) => `• ${item}`).join('\n')}`;
  return [
    list(t('It prevents'), summary.prevents),
    list(t('It does not prevent'), summary.doesNotPrevent),
    list(t('Good to know'), summary.warnings),
    t('Enforced by: {0}', enforcementLabel),
    price,
  ].join('\n\n');
}
