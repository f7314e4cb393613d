import { window, workspace } from 'vscode';
import { SettlementHistory } from '../chain/index.ts';
import { EARNING_PERIODS, earningsCsv, settledIn } from '../earnings/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

/**
 * "Svc: Export Earnings as CSV": opens the settlements of a period in a new document, for the user to save or copy.
 * @param period as named by the earnings page; all if omitted
 * @param timeZone the reader's
 */
export async function exportEarnings(app: App, period: unknown, timeZone: unknown): Promise<void> {
  const { payTo } = app.settings;
  if (payTo === undefined) {
    window.setStatusBarMessage(t('No payment address set'), 5_000);
    return;
  }
  await app.startService();
  const { horizonUrl } = app.addresses;
  if (horizonUrl === undefined)
    throw new Error(t('No network is running to read the earnings from.'));
  const { settlements } = await new SettlementHistory().read(horizonUrl, payTo, app.transport);
  const shown = settledIn(
    EARNING_PERIODS.find((known) => known === period) ?? 'all',
    settlements,
    new Date(),
    typeof timeZone === 'string' ? timeZone : 'UTC',
  );
  const content = earningsCsv(shown, (hash) => app.routeOfSettlement(hash));
  await window.showTextDocument(await workspace.openTextDocument({ language: 'csv', content }));
}
