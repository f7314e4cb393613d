import { StrKey } from '@stellar/stellar-sdk';
import { accountKeyId } from '../../state/index.ts';
import { assetContractId } from '../../transaction/events/index.ts';
import { parseAccount, publicKeyOf } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { creditAsset } from '../format/asset.ts';
import { hexText } from '../format/hex.ts';
import type { HorizonView } from '../horizonView.ts';
import { linkOf } from '../http/horizonRequest.ts';
import { AssetIndex, type AssetStatistics } from '../state/assetStatisticsIndex.ts';
import { accountFlags } from './account.ts';

const NO_FLAGS = {
  auth_required: false,
  auth_revocable: false,
  auth_immutable: false,
  auth_clawback_enabled: false,
};

/** An asset in the form of `/assets`. */
export type AssetResource = ReturnType<typeof assetRecord>['resource'];

/** An asset, its issuer, and how it is held. */
export function assetRecord(view: HorizonView, statistics: AssetStatistics) {
  const { type, code, issuer, trustlines, claimableBalances, pools } = statistics;
  const { authorized, authorizedToMaintainLiabilities, unauthorized } = trustlines;
  const token = `${code}_${issuer}_${type}`;
  const contract = contractOf(view, statistics);
  const heldByContracts = view.indexes.get(AssetIndex).heldByContracts(hexText(contract));
  const account = issuerOf(view, issuer);
  const homeDomain = account?.homeDomain.toString() ?? '';
  const toml = homeDomain.trim() === '' ? '' : `https://${homeDomain}/.well-known/stellar.toml`;
  return {
    token,
    resource: {
      _links: { toml: linkOf(toml) },
      asset_type: type,
      asset_code: code,
      asset_issuer: issuer,
      paging_token: token,
      contract_id: statistics.contracts > 0 ? StrKey.encodeContract(contract) : undefined,
      num_claimable_balances: claimableBalances.holders,
      num_liquidity_pools: pools.holders,
      num_contracts: heldByContracts.holders,
      accounts: {
        authorized: authorized.holders,
        authorized_to_maintain_liabilities: authorizedToMaintainLiabilities.holders,
        unauthorized: unauthorized.holders,
      },
      claimable_balances_amount: amountText(claimableBalances.amount),
      liquidity_pools_amount: amountText(pools.amount),
      contracts_amount: amountText(heldByContracts.amount),
      balances: {
        authorized: amountText(authorized.amount),
        authorized_to_maintain_liabilities: amountText(authorizedToMaintainLiabilities.amount),
        unauthorized: amountText(unauthorized.amount),
      },
      flags: account === undefined ? NO_FLAGS : accountFlags(account),
    },
  };
}

/** The issuer's account might no longer exist. */
function issuerOf(view: HorizonView, issuer: string) {
  const account = parseAccount(issuer);
  if (account === undefined) return undefined;
  const entry = view.state.peek(accountKeyId(publicKeyOf(account)));
  return entry?.data.type === 'account' ? entry.data.account : undefined;
}

/** The id of the asset's contract, deployed or not. */
function contractOf(view: HorizonView, { code, issuer }: AssetStatistics): Uint8Array {
  const asset = creditAsset(code, issuer);
  if (asset === undefined) return new Uint8Array(32);
  return assetContractId(view.network.service.engine.networkId, asset).value;
}
