import { xdr } from '@stellar/stellar-sdk';
import { decodeStrKey, encodeStrKey } from '../../protocol/index.ts';
import { accountIdString } from '../state/index.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

/** Takes transactions and operations of an account without its signatures, or no longer. @throws RpcError */
export function impersonate(
  { service: { engine } }: ControlNetwork,
  params: unknown,
): { accounts: string[] } {
  const given = new ControlParams(params, ['account', 'on']);
  const account = decodeStrKey('account', given.text('account'));
  if (account === undefined) throw invalid('account must be an address G…');
  const id = accountIdString(xdr.PublicKey.publicKeyTypeEd25519(account));
  if (given.flag('on')) engine.impersonation.accounts.add(id);
  else engine.impersonation.accounts.delete(id);
  const accounts = [...engine.impersonation.accounts].map((one) =>
    encodeStrKey('account', Buffer.from(one, 'latin1')),
  );
  return { accounts };
}
