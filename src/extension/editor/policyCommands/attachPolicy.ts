import { commands, window } from 'vscode';
import type { ContractAddress } from '../../../protocol/index.ts';
import { type Gateway, ServiceRefusal, type ShownPolicy } from '../../policies/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { askPasskey, knownPasskey } from '../askPasskey.ts';
import { attachLimits } from '../keyLimitCommands.ts';
import { noteRevoked } from '../policyReading.ts';
import type { Row } from '../views/index.ts';
import { choosePolicy, type PolicyDesk, requireGateway, working } from './policyDesk.ts';

/** Attaches a policy with the passkey, deploying it first if necessary. */
export async function attachRecord(
  { app, refresh }: PolicyDesk,
  wallet: ContractAddress,
  policy: ShownPolicy['record'],
  gateway: Gateway,
): Promise<void> {
  if (policy === undefined) throw new Error(t('This gateway does not know the policy.'));
  const { id, state } = policy.policy;
  if (policy.policy.contract === null) {
    await attachLimits(app, wallet, id);
    refresh();
    return;
  }
  const there = state === 'deployed' || state === 'recorded';
  if (!there && !(await deploy(app, wallet, gateway, id))) return;
  const keyId = knownPasskey(app, wallet);
  const outcome = await askPasskey(app, t('Attach the spending policy'), {
    kind: 'attach',
    policyId: id,
    keyId,
  });
  if (outcome !== undefined) {
    await noteRevoked(app, policy.policy.contract.contractId, false);
  }
  refresh();
  if (outcome === undefined) return;
  if (outcome.unrecorded !== null) {
    void window.showWarningMessage(
      t("The policy is attached, but the gateway hasn't recorded it: {0}", outcome.unrecorded),
    );
    return;
  }
  const add = t('Add a Key Under It');
  const choice = await window.showInformationMessage(
    t('The policy is attached. It limits the keys whose grants name it.'),
    add,
  );
  if (choice === add) await commands.executeCommand('svc-x402.addAgentKey');
}

/** "Svc: Attach Spending Policy" */
export async function attachPolicy(desk: PolicyDesk, row?: Row): Promise<void> {
  const { app } = desk;
  const found = await requireGateway(app);
  if (found === undefined) return;
  const { wallet, gateway } = found;
  const title = t('Attach the spending policy');
  const chosen = await choosePolicy(app, wallet, row, title, ({ stage }) => stage !== 'attached');
  if (chosen !== undefined) await attachRecord(desk, wallet, chosen.record, gateway);
}

/**
 * Asks the gateway to deploy the policy. If it requires a proof of control, the passkey provides it.
 * @returns false if the user cancelled
 */
export async function deploy(
  app: App,
  wallet: string,
  gateway: Gateway,
  id: string,
): Promise<boolean> {
  try {
    await working(t('Deploying the policy'), () => gateway.deployInstance(id));
    return true;
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || error.code !== 'proof_required') throw error;
    const task = { kind: 'deploy', policyId: id, keyId: knownPasskey(app, wallet) } as const;
    return (await askPasskey(app, t('Deploy the spending policy'), task)) !== undefined;
  }
}
