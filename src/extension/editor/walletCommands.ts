import { env, ProgressLocation, Uri, window } from 'vscode';
import { parseAccountAddress } from '../../protocol/index.ts';
import { whatIsWrongWithAddress } from '../settings/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import { writeSetting } from './writeSetting.ts';

const SECRET = 'localWallet';
const CREATED_WITHIN_MS = 60_000;

/** "Svc: Set Payment Address…" */
export async function setPayTo(app: App): Promise<void> {
  const address = await window.showInputBox({
    title: t('Payment address'),
    prompt: t('A Stellar account (G…). It is written into the code of payment gates.'),
    value: app.settings.payToText,
    ignoreFocusOut: true,
    validateInput: (text) =>
      parseAccountAddress(text.trim()) ? undefined : whatIsWrongWithAddress(text.trim()),
  });
  if (address !== undefined) await writeSetting(app, 'payToAddress', address.trim());
}

/** "Svc: Create Local Wallet": creates an address on the embedded network that can be paid right away. */
export async function createWallet(app: App): Promise<void> {
  if (app.settings.network !== 'local') {
    void window.showWarningMessage(
      t('Local wallets exist only on the embedded network. Set svc-x402.network to local first.'),
    );
    return;
  }
  if (app.settings.payTo !== undefined) {
    const replace = t('Replace');
    const choice = await window.showWarningMessage(
      t(
        '{0} is the current payment address. Replace it with a new local wallet? Generated code keeps its address.',
        app.settings.payTo,
      ),
      { modal: true },
      replace,
    );
    if (choice !== replace) return;
  }
  await makeLocalWallet(app);
}

/** Creates a local wallet and sets it as the payment address. @returns the address */
export async function makeLocalWallet(app: App): Promise<string> {
  const address = await window.withProgress(
    { location: ProgressLocation.Window, title: t('Creating a local wallet') },
    async () => {
      await app.startService();
      const { rpcUrl = '', friendbotUrl = '' } = app.addresses;
      const { createLocalWallet } = await import('../testPayment/index.ts');
      const wallet = await createLocalWallet(
        rpcUrl,
        friendbotUrl,
        app.transport,
        AbortSignal.timeout(CREATED_WITHIN_MS),
      );
      await app.context.secrets.store(`${SECRET}.${wallet.address}`, wallet.secret);
      return wallet.address;
    },
  );
  await writeSetting(app, 'payToAddress', address);
  const done = t('$(check) Payments go to {0}…{1} now', address.slice(0, 6), address.slice(-4));
  window.setStatusBarMessage(done, 5_000);
  return address;
}

/** Funds the configured address with friendbot. */
export async function fundWallet(app: App): Promise<void> {
  const { payTo } = app.settings;
  if (payTo === undefined) return setPayTo(app);
  await app.startService();
  const { friendbotUrl } = app.addresses;
  if (friendbotUrl === undefined)
    throw new Error(t('No funding service is known for this network.'));
  const { status } = await app.transport({ method: 'GET', url: `${friendbotUrl}?addr=${payTo}` });
  if (status === 200) {
    app.paid();
    return;
  }
  // It funds only new accounts; its error code does not distinguish that from other reasons.
  if (!(await accountExists(app, payTo))) {
    throw new Error(t('The funding service responded with {0}.', status));
  }
  void window.showInformationMessage(
    t(
      '{0}…{1} is already funded. The funding service funds only new accounts.',
      payTo.slice(0, 6),
      payTo.slice(-4),
    ),
  );
}

async function accountExists(app: App, address: string): Promise<boolean> {
  const { horizonUrl } = app.addresses;
  if (horizonUrl === undefined) return false;
  const url = `${horizonUrl}/accounts/${address}`;
  const { status } = await app.transport({ method: 'GET', url });
  return status === 200;
}

/** A trustline needs the account's own signature, which only its holder can provide. */
export async function explainTrustline(app: App): Promise<void> {
  const [create, open] = [t('Create Local Wallet'), t('Open Stellar Lab')];
  const local = app.settings.network === 'local';
  const choice = await window.showInformationMessage(
    t(
      "Only the account holder can add a trustline, with a change_trust operation for USDC signed by the account's key. Svc never asks for that key.",
    ),
    ...(local ? [create] : [open]),
  );
  if (choice === create) await createWallet(app);
  if (choice === open) await env.openExternal(Uri.parse('https://lab.stellar.org'));
}
