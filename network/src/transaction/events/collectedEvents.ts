import { xdr } from '@stellar/stellar-sdk';
import { assetContractId } from './assetContract.ts';
import { assetName } from './assetName.ts';
import { contractEvent } from './contractEvent.ts';
import { accountAddress, eventAddress, isIssuerAddress, withoutMuxId } from './eventAddress.ts';
import { amountTo, amountValue } from './eventValue.ts';
import type { EventParty, OperationEvents } from './operationEvents.ts';

/**
 * Collects the events of one classic operation in the order in which value moved, in the form that the Stellar Asset Contract
 * of each asset uses (CAP-67; stellar-core `OpEventManager`).
 */
export class CollectedEvents implements OperationEvents {
  readonly #networkId: Uint8Array;
  readonly #memo: xdr.Memo;
  readonly #events: xdr.ContractEvent[] = [];

  constructor(networkId: Uint8Array, memo: xdr.Memo) {
    this.#networkId = networkId;
    this.#memo = memo;
  }

  get events(): readonly xdr.ContractEvent[] {
    return this.#events;
  }

  transfer(
    asset: xdr.Asset,
    fromParty: EventParty,
    toParty: EventParty,
    amount: bigint,
    options?: { readonly allowMuxedIdOrMemo?: boolean },
  ): void {
    const from = eventAddress(fromParty);
    const to = eventAddress(toParty);
    const fromIssuer = isIssuerAddress(from, asset);
    const toIssuer = isIssuerAddress(to, asset);
    if (toIssuer && !fromIssuer) {
      this.#push(asset, 'burn', [from], amountValue(amount));
      return;
    }
    const data =
      options?.allowMuxedIdOrMemo === true ? amountTo(to, amount, this.#memo) : amountValue(amount);
    if (fromIssuer && !toIssuer) this.#push(asset, 'mint', [to], data);
    else this.#push(asset, 'transfer', [from, to], data);
  }

  burn(asset: xdr.Asset, from: EventParty, amount: bigint): void {
    this.#push(asset, 'burn', [eventAddress(from)], amountValue(amount));
  }

  clawback(asset: xdr.Asset, from: EventParty, amount: bigint): void {
    this.#push(asset, 'clawback', [eventAddress(from)], amountValue(amount));
  }

  setAuthorized(asset: xdr.Asset, account: xdr.PublicKey, authorized: boolean): void {
    this.#push(asset, 'set_authorized', [accountAddress(account)], xdr.ScVal.scvBool(authorized));
  }

  claims(source: xdr.MuxedAccount, claims: readonly xdr.ClaimAtom[]): void {
    for (const claim of claims) {
      const { assetBought, amountBought, assetSold, amountSold } = claim.value;
      const seller = sellerOf(claim);
      this.transfer(assetBought, source, seller, amountBought);
      this.transfer(assetSold, seller, source, amountSold);
    }
  }

  #push(asset: xdr.Asset, name: string, parties: xdr.ScAddress[], data: xdr.ScVal): void {
    const topics = [
      xdr.ScVal.scvSymbol(name),
      ...parties.map((party) => xdr.ScVal.scvAddress(withoutMuxId(party))),
      xdr.ScVal.scvString(assetName(asset)),
    ];
    this.#events.push(contractEvent(assetContractId(this.#networkId, asset), topics, data));
  }
}

function sellerOf(claim: xdr.ClaimAtom): xdr.ScAddress {
  switch (claim.type) {
    case 'claimAtomTypeV0':
      return accountAddress(xdr.PublicKey.publicKeyTypeEd25519(claim.v0.sellerEd25519));
    case 'claimAtomTypeOrderBook':
      return accountAddress(claim.orderBook.sellerId);
    case 'claimAtomTypeLiquidityPool':
      return xdr.ScAddress.scAddressTypeLiquidityPool(claim.liquidityPool.liquidityPoolId);
  }
}
