import { commands, window } from 'vscode';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

/** Congratulates once on the first settled payment, and suggests the next step. */
export async function noticeFirstPayment({ milestones }: App): Promise<void> {
  if (!milestones.mark('payment')) return;
  const [show, agents] = [t('Show Earnings'), t('Let Agents Find It…')];
  const choice = await window.showInformationMessage(
    t('Your first payment has settled. The views show what your endpoint earns.'),
    show,
    agents,
  );
  if (choice === show) await commands.executeCommand('svc-x402.earnings.focus');
  if (choice === agents) await commands.executeCommand('svc-x402.setUpAgents');
}

/** Reports once that the catalog has verified an endpoint's owner. @param url the endpoint */
export async function noticeFirstVerified({ milestones }: App, url: string): Promise<void> {
  if (!milestones.mark('verified')) return;
  const show = t('Show Endpoints');
  const choice = await window.showInformationMessage(
    t('{0} is verified: its own payment terms name your address.', url),
    show,
  );
  if (choice === show) await commands.executeCommand('svc-x402.endpoints.focus');
}
