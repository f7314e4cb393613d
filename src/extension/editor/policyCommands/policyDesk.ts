import { commands, ProgressLocation, window } from 'vscode';
import type { ContractAddress } from '../../../protocol/index.ts';
import {
  type Gateway,
  limitLabel,
  policyLabel,
  type ShownPolicy,
  shortAddress,
} from '../../policies/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { gatewayOf, readPolicies } from '../policyReading.ts';
import type { Row } from '../views/index.ts';
/** Shared by the commands of the view "Spending Policies". */
export interface PolicyDesk {
  readonly app: App;
  /** Reads the view again. */
  readonly refresh: () => void;
}

/** Returns the account whose policies are managed, with the network running; `undefined` if none is set yet. */
export async function requireGateway(
  app: App,
): Promise<{ wallet: ContractAddress; gateway: Gateway } | undefined> {
  const { smartAccount } = app.settings;
  if (smartAccount === undefined) {
    const [create, set] = [t('Create Smart Account'), t('Set Address')];
    const choice = await window.showInformationMessage(
      t('No smart account is set. Policies limit the keys of a smart account (C…).'),
      ...(app.settings.network === 'local' ? [create] : []),
      set,
    );
    if (choice === create) await commands.executeCommand('svc-x402.createSmartAccount');
    if (choice === set) await commands.executeCommand('svc-x402.setSmartAccount');
    return undefined;
  }
  await app.startService();
  const gateway = gatewayOf(app);
  if (gateway !== undefined) return { wallet: smartAccount, gateway };
  const settings = t('Open Settings');
  const choice = await window.showWarningMessage(
    t('No policy gateway is set for testnet: set svc-x402.policyGatewayUrl.'),
    settings,
  );
  if (choice === settings) await commands.executeCommand('svc-x402.openSettings');
  return undefined;
}

/** The row's policy, or one that the user picks from those of a stage. */
export async function choosePolicy(
  app: App,
  wallet: ContractAddress,
  row: Row | undefined,
  title: string,
  wanted: (policy: ShownPolicy) => boolean,
): Promise<ShownPolicy | undefined> {
  const given = row?.value as ShownPolicy | undefined;
  if (given !== undefined) return given;
  const { shown } = await readPolicies(app, wallet);
  const fitting = shown.filter(wanted);
  if (fitting.length === 0) {
    const create = t('Create Policy');
    const choice = await window.showInformationMessage(t('No policy is ready for this.'), create);
    if (choice === create) await commands.executeCommand('svc-x402.createPolicy');
    return undefined;
  }
  const picked = await window.showQuickPick(fitting.map(pickOf), {
    title,
    placeHolder: t('Which policy'),
  });
  return picked?.policy;
}

function nameOf({ ledger, limits, record, id }: ShownPolicy): string {
  if (limits !== undefined) return limitLabel(limits);
  if (ledger !== undefined) return policyLabel(ledger);
  return record?.policy.summary.title ?? shortAddress(id);
}

/** A policy as an item of a list. */
export function pickOf(policy: ShownPolicy) {
  const { contractId, limits, id } = policy;
  const address = contractId ?? limits?.key ?? id;
  return { label: nameOf(policy), description: shortAddress(address), policy };
}

/** The gateway's record of a policy. */
export async function recordOf(gateway: Gateway, wallet: string, id: string) {
  return (await gateway.ofWallet(wallet)).find(({ policy }) => policy.id === id);
}

/** Shows progress during a long operation. */
export function working<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return window.withProgress({ location: ProgressLocation.Notification, title }, work);
}
