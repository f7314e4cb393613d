import { window } from 'vscode';
import { t } from '../../words/index.ts';
import { askPasskey, knownPasskey } from '../askPasskey.ts';
import { revokeLimits } from '../keyLimitCommands.ts';
import { noteRevoked } from '../policyReading.ts';
import type { Row } from '../views/index.ts';
import { choosePolicy, type PolicyDesk, requireGateway } from './policyDesk.ts';

/** "Svc: Revoke Spending Policy" */
export async function revokePolicy({ app, refresh }: PolicyDesk, row?: Row): Promise<void> {
  const found = await requireGateway(app);
  if (found === undefined) return;
  const { wallet } = found;
  const title = t('Revoke the spending policy');
  const chosen = await choosePolicy(app, wallet, row, title, ({ stage }) => stage === 'attached');
  if (chosen === undefined) return;
  const keyId = knownPasskey(app, wallet);
  const policy = chosen.contractId;
  if (policy === undefined) {
    await revokeLimits(app, wallet, chosen);
    refresh();
    return;
  }
  const outcome = await askPasskey(app, title, { kind: 'revoke', wallet, policy, keyId });
  if (outcome !== undefined) await noteRevoked(app, policy, true);
  refresh();
  if (outcome === undefined) return;
  void window.showInformationMessage(
    t(
      'The policy is revoked. Keys whose grants name it can no longer do anything on those contracts.',
    ),
  );
}
