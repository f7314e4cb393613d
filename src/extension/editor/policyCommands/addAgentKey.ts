import { window } from 'vscode';
import type { ContractAddress } from '../../../protocol/index.ts';
import { type ShownPolicy, shortAddress, whatIsWrongWithKey } from '../../policies/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { askPasskey, knownPasskey } from '../askPasskey.ts';
import { askToken } from '../policyForm.ts';
import { readPolicies } from '../policyReading.ts';
import type { Row } from '../views/index.ts';
import { choosePolicy, type PolicyDesk, pickOf, requireGateway } from './policyDesk.ts';

/** "Svc: Add Key Under Spending Policies" */
export async function addAgentKey({ app }: PolicyDesk, row?: Row): Promise<void> {
  const found = await requireGateway(app);
  if (found === undefined) return;
  const { wallet } = found;
  const title = t('Add a key under spending policies');
  const policies = await choosePolicies(app, wallet, row, title);
  if (policies === undefined) return;
  const contracts = await contractsOf(policies, title);
  if (contracts === undefined) return;
  const agent = await window.showInputBox({
    title,
    prompt: t(
      "Public key of the agent (G…). It doesn't have to be an account. The secret stays with the agent.",
    ),
    ignoreFocusOut: true,
    validateInput: whatIsWrongWithKey,
  });
  if (agent === undefined) return;
  const outcome = await askPasskey(app, title, {
    kind: 'add_agent',
    wallet,
    agent: agent.trim(),
    contracts,
    policies: policies.flatMap(({ contractId }) => contractId ?? []),
    keyId: knownPasskey(app, wallet),
  });
  if (outcome === undefined) return;
  void window.showInformationMessage(
    policies.length === 1
      ? t('{0} can now act within the policy.', shortAddress(agent.trim()))
      : t('{0} can now act within all of these policies.', shortAddress(agent.trim())),
  );
}

/**
 * The policies that must all agree. Verified recipients come first, because that policy has no amount limit and counts no
 * spending.
 */
async function choosePolicies(
  app: App,
  wallet: ContractAddress,
  row: Row | undefined,
  title: string,
): Promise<readonly ShownPolicy[] | undefined> {
  const given = row?.value as ShownPolicy | undefined;
  if (given !== undefined) return [given];
  // Limits of another key are not a policy that can agree.
  const agrees = ({ stage, contractId }: ShownPolicy) =>
    stage === 'attached' && contractId !== undefined;
  const attached = (await readPolicies(app, wallet)).shown.filter(agrees);
  if (attached.length < 2) {
    const one = await choosePolicy(app, wallet, undefined, title, agrees);
    return one && [one];
  }
  const picked = await window.showQuickPick(attached.map(pickOf), {
    title,
    placeHolder: t('Policies that must all approve what the key does'),
    canPickMany: true,
  });
  if (picked === undefined || picked.length === 0) return undefined;
  const chosen = picked.map(({ policy }) => policy);
  return [
    ...chosen.filter(({ ledger }) => ledger?.limit === undefined),
    ...chosen.filter(({ ledger }) => ledger?.limit !== undefined),
  ];
}

/** The contracts on which the key acts: those that the limits apply to, or else a token that the user enters. */
async function contractsOf(
  policies: readonly ShownPolicy[],
  title: string,
): Promise<readonly string[] | undefined> {
  const counted = policies.flatMap(({ ledger }) => {
    const limit = ledger?.limit;
    if (limit === undefined) return [];
    return limit.upto === undefined ? [limit.token] : [limit.token, limit.upto];
  });
  if (counted.length > 0) return [...new Set(counted)];
  const token = await askToken(title);
  return token && [token.contract];
}
