import { payable, whyNotPayable } from '../../protocol/index.ts';
import type { FilledPayment } from '../paymentForm/paymentForm.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import { makeLocalWallet } from './walletCommands.ts';
import { writeSetting } from './writeSetting.ts';

/** Time limit for looking up an address on the network. */
const LOOKED_UP_WITHIN_MS = 3_000;

/** Why the address cannot be paid, according to the network that the editor uses. */
export async function payToWarning(app: App, address: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(LOOKED_UP_WITHIN_MS);
  const { horizonUrl } = app.addresses;
  const found = await payable(address, horizonUrl, (url) =>
    app.transport({ method: 'GET', url, signal }),
  );
  const network = app.settings.network === 'local' ? t('the local network') : t('the network');
  const reason = whyNotPayable(found, network);
  return reason && `${address.slice(0, 6)}…${address.slice(-4)} ${reason}.`;
}

/** The address entered in the form, which becomes the setting. */
export async function recipientOf(app: App, { wallet, payTo }: FilledPayment): Promise<string> {
  if (wallet === 'create') return makeLocalWallet(app);
  await writeSetting(app, 'payToAddress', payTo);
  return payTo;
}
