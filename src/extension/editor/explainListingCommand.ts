import { window } from 'vscode';
import { describeListing, validateListing } from '../endpoints/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import type { ReportPages } from './reportPages.ts';

/** "Svc: Why is my endpoint not listed?" */
export async function explainListingCommand(app: App, pages: ReportPages): Promise<void> {
  const url = await window.showInputBox({
    title: t('Why is my endpoint not listed?'),
    prompt: t(
      'URL of the running endpoint. The catalog requests its terms and checks them; nothing is paid.',
    ),
    value: 'http://localhost:3000/',
    ignoreFocusOut: true,
  });
  if (url === undefined) return;
  await app.startService();
  const { facilitatorUrl } = app.addresses;
  if (facilitatorUrl === undefined) throw new Error(t('No facilitator is set for testnet.'));
  const validation = await validateListing(facilitatorUrl, url.trim(), app.transport);
  await pages.openReport(describeListing(url.trim(), validation));
}
