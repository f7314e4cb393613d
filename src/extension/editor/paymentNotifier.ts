import { commands, type Disposable, window } from 'vscode';
import { formatDecimalAmount } from '../../protocol/index.ts';
import { readSettlements } from '../chain/index.ts';
import { createPoller, PERIODS } from '../polling/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

/** Shows a notification for each payment if the user turned that on (`svc-x402.notifyOnEveryPayment`). */
export function createPaymentNotifier(app: App): Disposable {
  let known: Set<string> | undefined;
  let readFor = '';
  const poller = createPoller({
    everyMs: PERIODS.settlements,
    async read(signal) {
      const { payTo } = app.settings;
      const { horizonUrl } = app.addresses;
      if (payTo === undefined || horizonUrl === undefined) return;
      if (readFor !== `${horizonUrl} ${payTo}`) known = undefined;
      readFor = `${horizonUrl} ${payTo}`;
      const { settlements } = await readSettlements(horizonUrl, payTo, 10, app.transport, {
        signal,
      });
      const before = known;
      known = new Set(settlements.map(({ id }) => id));
      if (before === undefined) return;
      const fresh = settlements.filter(({ id }) => !before.has(id));
      const [newest] = fresh;
      if (newest === undefined) return;
      const total = fresh.reduce((sum, { amount }) => sum + amount, 0n);
      const words =
        fresh.length === 1
          ? t('Payment received: {0} USDC.', formatDecimalAmount(total))
          : t('{0} payments received: {1} USDC.', fresh.length, formatDecimalAmount(total));
      void tell(words, newest.hash);
    },
  });
  const follow = () => poller.setVisible(app.settings.notifyOnEveryPayment);
  const listeners = [app.onChange(follow), app.onPaid(() => poller.refresh())];
  follow();
  return {
    dispose() {
      for (const listener of listeners) listener.dispose();
      poller.dispose();
    },
  };
}

async function tell(words: string, hash: string): Promise<void> {
  const [show, stop] = [t('Show'), t("Don't Notify Again")];
  const choice = await window.showInformationMessage(words, show, stop);
  if (choice === show) await commands.executeCommand('svc-x402.openSettlement', hash);
  if (choice === stop) await commands.executeCommand('svc-x402.stopNotifying');
}
