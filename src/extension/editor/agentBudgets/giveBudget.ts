import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, env, ProgressLocation, window } from 'vscode';
import { AGENTS_FOLDER } from '../../../machine/index.ts';
import {
  askBudget,
  type BudgetAnswer,
  type BudgetStep,
  budgetOf,
  EXPIRES,
  grantArguments,
  WINDOWS,
  whatIsWrongWithBudget,
} from '../../agents/index.ts';
import { later, t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { hasLanguageModelTools } from '../languageModelTools.ts';
import { askOne, askText } from '../stepInput.ts';
import { listAgents, runAgentCommand } from './runAgentCommand.ts';

const PROMPTS = {
  name: later('Name of the agent and its key file'),
  budget: later(
    'Maximum spending per window, such as 5 USDC. The ledger rejects anything above it.',
  ),
  maxPayments: later(
    'Maximum number of payments per window, such as 20. Leave empty for no limit.',
  ),
  perPayment: later(
    'Maximum per payment, such as 0.1 USDC. Leave empty to allow the remaining budget.',
  ),
  recipients: later(
    'Who may be paid (G… or C…), separated by spaces. Leave empty to allow anyone.',
  ),
} as const;

/** Asks one question of the budget form. @param taken names of existing agents */
function askBudgetStep(
  title: string,
  step: BudgetStep,
  taken: readonly string[],
): Promise<BudgetAnswer> {
  const { question, answers } = step;
  const box = { ...step, title, problem: undefined };
  switch (question) {
    case 'window': {
      const placeHolder = t(
        'How often the budget resets. A window starts with its first payment, unless it slides.',
      );
      return askOne({ ...box, placeHolder }, WINDOWS, answers.window);
    }
    case 'expires': {
      const placeHolder = t('When its key expires. You can revoke it at any time.');
      return askOne({ ...box, placeHolder }, EXPIRES, answers.expires);
    }
    default: {
      const texts = { prompt: t(PROMPTS[question]), value: answers[question] };
      return askText({ ...box, ...texts }, (text) =>
        whatIsWrongWithBudget(question, text, answers, taken),
      );
    }
  }
}

const TITLE = later('Give an agent a budget');

/**
 * "Svc: Give an Agent a Budget…": creates a smart account, a policy and a key file with the bundled command line.
 * @param allow lets agents in this editor pay with a key file, after asking the user
 */
export async function giveBudget(app: App, allow: (keyFile: string) => Promise<void>) {
  if (!(await onEmbeddedNetwork(app))) return;
  const taken = await names(app.dataFolder());
  const answers = await askBudget((step) => askBudgetStep(t(TITLE), step, taken));
  if (answers === undefined) return;
  const { name } = answers;
  const title = t('Giving {0} a budget', name);
  const agent = await window.withProgress({ location: ProgressLocation.Notification, title }, () =>
    runAgentCommand(app, grantArguments(answers)).then(async () =>
      (await listAgents(app)).find((one) => one.name === name),
    ),
  );
  if (agent === undefined) throw new Error(t("{0}'s key file no longer exists.", name));
  app.milestones.mark('agents');
  const [pay, copy] = [t('Let Agents in This Editor Pay…'), t('Copy Key File Path')];
  const choice = await window.showInformationMessage(
    t('On the ledger, {0} has {1}. Only you can read its key file.', name, budgetOf(agent)),
    ...(hasLanguageModelTools() ? [pay] : []),
    copy,
  );
  if (choice === pay) await allow(agent.keyFile);
  if (choice === copy) await env.clipboard.writeText(agent.keyFile);
}

/** Whether budgets can be given here; if not, explains how to do it. */
export async function onEmbeddedNetwork(app: App): Promise<boolean> {
  if (app.settings.network === 'local') {
    // In an untrusted workspace, this fails before the first question and offers to manage trust.
    if (!app.trusted) await app.startService();
    return true;
  }
  const create = t('Create Policy');
  const choice = await window.showInformationMessage(
    t(
      "Agent budgets are available only on the embedded network. On testnet, create a spending policy for your smart account and add the agent's key under it.",
    ),
    create,
  );
  if (choice === create) await commands.executeCommand('svc-x402.createPolicy');
  return false;
}

/** Names of the agents that have key files. */
async function names(dataFolder: string): Promise<readonly string[]> {
  const files = await readdir(join(dataFolder, AGENTS_FOLDER)).catch(() => []);
  return files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []));
}
