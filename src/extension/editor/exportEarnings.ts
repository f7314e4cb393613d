import { window, workspace } from 'vscode';
import { readSettlements } from '../chain/index.ts';
import { earningsCsv } from '../earnings/index.ts';
import type { App } from './app.ts';

const MOST = 200;

/** "Svc: Export Earnings as CSV": the settlements of the view in a new document, which the user saves or copies. */
export async function exportEarnings(app: App): Promise<void> {
  const { payTo } = app.settings;
  if (payTo === undefined) {
    window.setStatusBarMessage('No payment address set', 5_000);
    return;
  }
  await app.startService();
  const { horizonUrl } = app.addresses;
  if (horizonUrl === undefined) throw new Error('No network runs to read the earnings from.');
  const { settlements } = await readSettlements(horizonUrl, payTo, MOST, app.transport);
  const content = earningsCsv(settlements, (hash) => app.routeOfSettlement(hash));
  await window.showTextDocument(await workspace.openTextDocument({ language: 'csv', content }));
}
