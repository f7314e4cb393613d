import { commands, env, ProgressLocation, type QuickPickItem, window } from 'vscode';
import { withoutUsdc } from '../../../protocol/index.ts';
import { type AgentOnLedger, agentWords, budgetOf } from '../../agents/index.ts';
import { whatIsWrongWithCap } from '../../policies/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { pickLater } from '../stepInput.ts';
import { onEmbeddedNetwork } from './giveBudget.ts';
import { listAgents, runAgentCommand } from './runAgentCommand.ts';

/** "Svc: Show Agents and Budgets…": lists agents from the ledger, with actions. */
export async function showBudgets(app: App, allow: (keyFile: string) => Promise<void>) {
  const agent = await chooseAgent(
    app,
    t('Agents and their budgets'),
    t('Select an agent to change it'),
  );
  if (agent === undefined) return;
  const [replace, rotate, revoke, pay, copy] = [
    { label: t('Change the Budget…'), detail: t('Spending so far still counts.') },
    {
      label: t('Replace the Key'),
      detail: t('Keeps the same budget. The old key can no longer pay.'),
    },
    { label: t('Revoke…'), detail: t('The key can no longer pay.') },
    { label: t('Let Agents in This Editor Pay…'), detail: t("With this agent's key.") },
    { label: t('Copy Key File Path'), detail: agent.keyFile },
  ] as const;
  const items = agent.state === 'active' ? [replace, rotate, revoke, pay, copy] : [revoke, copy];
  const choice = await window.showQuickPick(items, {
    title: `${agent.name}: ${budgetOf(agent)}`,
    placeHolder: agentWords(agent),
  });
  if (choice === replace) await replaceBudget(app, agent);
  if (choice === rotate) await replaceKey(app, agent);
  if (choice === revoke) await confirmRevocation(app, agent);
  if (choice === pay) await allow(agent.keyFile);
  if (choice === copy) await env.clipboard.writeText(agent.keyFile);
}

/** "Svc: Revoke an Agent's Budget…" */
export async function revokeBudget(app: App): Promise<void> {
  const agent = await chooseAgent(app, t("Revoke an agent's budget"), t('Which agent'));
  if (agent !== undefined) await confirmRevocation(app, agent);
}

interface Choice extends QuickPickItem {
  readonly agent: AgentOnLedger | undefined;
}

/** Shows the agents once the ledger has been read. Closing the list earlier does not wait for that. */
async function chooseAgent(
  app: App,
  title: string,
  placeHolder: string,
): Promise<AgentOnLedger | undefined> {
  if (!(await onEmbeddedNetwork(app))) return undefined;
  const give: Choice = { label: t('$(add) Give an Agent a Budget…'), agent: undefined };
  const read = async (): Promise<readonly Choice[]> => {
    const agents = await listAgents(app);
    const items = agents.map((agent) => ({
      label: agent.name,
      description: budgetOf(agent),
      detail: agentWords(agent),
      agent,
    }));
    return items.length > 0 ? items : [give];
  };
  const picked = await pickLater({ title, placeHolder, reading: t('Reading the ledger…') }, read);
  if (picked === give) await commands.executeCommand('svc-x402.giveAgentBudget');
  return picked?.agent;
}

async function replaceBudget(app: App, { name }: AgentOnLedger): Promise<void> {
  const title = t("Change {0}'s budget", name);
  const text = await window.showInputBox({
    title,
    prompt: t('Maximum spending per window, such as 5 USDC. Its other limits stay the same.'),
    ignoreFocusOut: true,
    validateInput: (typed) => whatIsWrongWithCap(withoutUsdc(typed.trim()), 'USDC'),
  });
  if (text === undefined) return;
  const budget = withoutUsdc(text.trim());
  const agent = await working(t("Changing {0}'s budget", name), async () => {
    await runAgentCommand(app, ['agent', 'top-up', '--json', '--budget', budget, name]);
    return (await listAgents(app)).find((one) => one.name === name);
  });
  if (agent === undefined) return;
  void window.showInformationMessage(t('On the ledger, {0} has {1}.', name, budgetOf(agent)));
}

async function replaceKey(app: App, { name, keyFile }: AgentOnLedger): Promise<void> {
  await working(t("Replacing {0}'s key", name), () =>
    runAgentCommand(app, ['agent', 'rotate', '--json', name]),
  );
  const words = t('{0} has a new key in {1}. Restart the programs that use it.', name, keyFile);
  void window.showInformationMessage(words);
}

async function confirmRevocation(app: App, { name }: AgentOnLedger): Promise<void> {
  const revoke = t('Revoke');
  const detail = t("Its key can't pay from the next ledger on, and its key file is deleted.");
  const choice = await window.showWarningMessage(
    t("Revoke {0}'s budget?", name),
    { modal: true, detail },
    revoke,
  );
  if (choice !== revoke) return;
  await working(t("Revoking {0}'s budget", name), () =>
    runAgentCommand(app, ['agent', 'revoke', '--json', name]),
  );
  void window.showInformationMessage(t("{0}'s budget is revoked.", name));
}

function working<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return window.withProgress({ location: ProgressLocation.Notification, title }, work);
}
