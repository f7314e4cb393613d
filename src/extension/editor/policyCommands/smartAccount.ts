import { commands, env, window } from 'vscode';
import { shortAddress } from '../../policies/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { askPasskey } from '../askPasskey.ts';
import { askContract } from '../policyForm.ts';
import { writeSetting } from '../writeSetting.ts';

/** "Svc: Set Smart Account" */
export async function setSmartAccount(app: App): Promise<void> {
  const address = await askContract(
    t('Smart account'),
    t('Address of the smart account (C…) whose spending policies you manage'),
    app.settings.smartAccount ?? '',
  );
  if (address !== undefined) await writeSetting(app, 'smartAccount', address);
}

/** "Svc: Create Smart Account" */
export async function createSmartAccount(app: App): Promise<void> {
  const { network, smartAccount } = app.settings;
  if (network !== 'local') {
    const set = t('Set Address');
    const words = t(
      'Svc creates accounts only on the embedded network. Create one with a wallet, then set its address.',
    );
    const choice = await window.showWarningMessage(words, set);
    if (choice === set) await commands.executeCommand('svc-x402.setSmartAccount');
    return;
  }
  if (smartAccount !== undefined) {
    const replace = t('Replace');
    const choice = await window.showWarningMessage(
      t(
        '{0} is the current smart account. Replace it with a new one? It stays on the ledger.',
        smartAccount,
      ),
      { modal: true },
      replace,
    );
    if (choice !== replace) return;
  }
  const task = { kind: 'create_account', name: 'Svc x402 (embedded network)' } as const;
  const outcome = await askPasskey(app, t('Create a smart account'), task);
  if (outcome === undefined) return;
  await writeSetting(app, 'smartAccount', outcome.wallet);
  const [create, copy] = [t('Create Policy'), t('Copy Address')];
  const choice = await window.showInformationMessage(
    t('{0} is your smart account, owned by your passkey.', shortAddress(outcome.wallet)),
    create,
    copy,
  );
  if (choice === create) await commands.executeCommand('svc-x402.createPolicy');
  if (choice === copy) await env.clipboard.writeText(outcome.wallet);
}
