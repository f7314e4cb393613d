import { Address, xdr } from '@stellar/stellar-sdk';
import { decodeStrKey } from '../../../common/strKey.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

/**
 * Turns acceptance of unsigned transactions, operations and authorization entries of an account, or of unsigned authorization
 * entries of a contract, on or off. @throws RpcError
 */
export function impersonate(
  { service: { engine } }: ControlNetwork,
  params: unknown,
): { accounts: string[] } {
  const given = new ControlParams(params, ['account', 'on']);
  const address = addressOf(given.text('account'));
  if (address === undefined) throw invalid('account must be an address G… or C…');
  engine.impersonation.set(address, given.flag('on'));
  const accounts = engine.impersonation.list().map((one) => Address.fromScAddress(one).toString());
  return { accounts };
}

function addressOf(text: string): xdr.ScAddress | undefined {
  const account = decodeStrKey('account', text);
  if (account !== undefined) {
    return xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(account));
  }
  const contract = decodeStrKey('contract', text);
  return contract && xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(contract));
}

/** Turns acceptance of every account's transactions and operations without signatures on or off. @throws RpcError */
export function autoImpersonate(
  { service: { engine } }: ControlNetwork,
  params: unknown,
): { on: boolean } {
  engine.impersonation.everyone = new ControlParams(params, ['on']).flag('on');
  return { on: engine.impersonation.everyone };
}
