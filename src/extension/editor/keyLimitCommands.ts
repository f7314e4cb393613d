import { window } from 'vscode';
import type { ContractAddress } from '../../protocol/index.ts';
import type { KeyPolicy, ShownPolicy } from '../policies/index.ts';
import { missingCoSigners, shortAddress } from '../policies/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import { askPasskey, knownPasskey } from './askPasskey.ts';
import { noteRevoked, readPolicies } from './policyReading.ts';

/**
 * Adds a key with its limits to the account, after any missing keys that must also sign. Each addition asks for the passkey
 * once.
 * @param policyId the gateway's id
 */
export async function attachLimits(
  app: App,
  wallet: ContractAddress,
  policyId: string,
): Promise<void> {
  const { shown } = await readPolicies(app, wallet);
  const limits = shown.find(({ id }) => id === policyId)?.limits;
  if (limits === undefined) throw new Error(t('This gateway does not know the policy.'));
  if (limits.held === 'other') {
    throw new Error(
      t(
        'The account already holds {0} with other limits. Revoke those first: a key can have only one set of limits.',
        shortAddress(limits.key),
      ),
    );
  }
  if (!(await addCoSigners(app, wallet, limits))) return;
  const keyId = knownPasskey(app, wallet);
  const task = { kind: 'attach', policyId, keyId } as const;
  const outcome = await askPasskey(app, t("Attach the key's limits"), task);
  if (outcome === undefined) return;
  await noteRevoked(app, policyId, false);
  if (outcome.unrecorded !== null) {
    void window.showWarningMessage(
      t(
        "The key is in the account with these limits, but the gateway hasn't recorded it: {0}",
        outcome.unrecorded,
      ),
    );
    return;
  }
  void window.showInformationMessage(actsNow(limits));
}

function actsNow({ key, coSigners }: KeyPolicy): string {
  const short = shortAddress(key);
  if (coSigners.length === 0) {
    return t('{0} can now call the listed contracts and no others.', short);
  }
  return coSigners.length === 1
    ? t('{0} can now act together with the other key.', short)
    : t('{0} can now act together with all of the other keys.', short);
}

/** @returns false if the user cancelled */
async function addCoSigners(app: App, wallet: string, limits: KeyPolicy): Promise<boolean> {
  const missing = missingCoSigners(limits);
  if (missing.length === 0) return true;
  const one = missing.length === 1;
  const add = one ? t('Add the Key') : t('Add the Keys');
  const choice = await window.showInformationMessage(
    one
      ? t('The key that must also sign is not in the account. Add it first?')
      : t(
          '{0} of the keys that must also sign are not in the account. Add them first?',
          missing.length,
        ),
    {
      modal: true,
      detail: `${
        one
          ? t(
              "Until then, {0} can't do anything. The added key can do nothing alone. You confirm with your passkey once for the key, then once for the limits.",
              shortAddress(limits.key),
            )
          : t(
              "Until then, {0} can't do anything. The added keys can do nothing alone. You confirm with your passkey once for each key, then once for the limits.",
              shortAddress(limits.key),
            )
      }\n\n${missing.join('\n')}`,
    },
    add,
  );
  if (choice !== add) return false;
  for (const key of missing) {
    const keyId = knownPasskey(app, wallet);
    const task = { kind: 'add_co_signer', wallet, key, keyId } as const;
    const title = t('Add {0} as a co-signer', shortAddress(key));
    if ((await askPasskey(app, title, task)) === undefined) return false;
  }
  return true;
}

/** Removes a limited key from the account and, on request, the keys that were added to sign with it. */
export async function revokeLimits(
  app: App,
  wallet: ContractAddress,
  { id, limits }: ShownPolicy,
): Promise<void> {
  if (limits === undefined) return;
  const title = t('Revoke the key and its limits');
  const removed = await removeKey(app, wallet, limits.key, title);
  if (!removed) return;
  await noteRevoked(app, id, true);
  const idle = await idleCoSigners(app, wallet, limits);
  const key = shortAddress(limits.key);
  if (idle.length === 0) {
    void window.showInformationMessage(t('Removed the key {0} from the account.', key));
    return;
  }
  const remove = idle.length === 1 ? t('Remove the Other Key') : t('Remove the Other Keys');
  const choice = await window.showInformationMessage(
    idle.length === 1
      ? t(
          'Removed the key {0} from the account. The other key remains, but cannot sign alone.',
          key,
        )
      : t(
          'Removed the key {0} from the account. The other keys remain, but cannot sign alone.',
          key,
        ),
    remove,
  );
  if (choice !== remove) return;
  for (const one of idle) {
    if (!(await removeKey(app, wallet, one, t('Remove {0} from the account', shortAddress(one)))))
      return;
  }
}

/** Keys that signed with this one, can do nothing alone, and are not named by any remaining limits. */
async function idleCoSigners(
  app: App,
  wallet: ContractAddress,
  { coSigners }: KeyPolicy,
): Promise<readonly string[]> {
  const { shown } = await readPolicies(app, wallet);
  const needed = new Set(
    shown
      .filter(({ stage }) => stage === 'attached')
      .flatMap(({ limits }) => limits?.coSigners.map(({ key }) => key) ?? []),
  );
  return coSigners
    .filter(({ key, standing }) => standing === 'co-signer' && !needed.has(key))
    .map(({ key }) => key);
}

async function removeKey(app: App, wallet: string, key: string, title: string): Promise<boolean> {
  const task = { kind: 'remove_key', wallet, key, keyId: knownPasskey(app, wallet) } as const;
  return (await askPasskey(app, title, task)) !== undefined;
}
