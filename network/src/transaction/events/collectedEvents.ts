import { StrKey, xdr } from '@stellar/stellar-sdk';
import { hashXdr } from '../../xdr/index.ts';
import { isIssuer } from '../balances/index.ts';

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

/**
 * Collects the unified asset events (CAP-67) of one classic operation. Rules call it wherever value moves; a network that does
 * not emit classic events passes a collector that drops them.
 *
 * Addresses are passed as written in the transaction: a multiplexed destination, or the transaction's memo, becomes the
 * `to_muxed_id` of the event as the CAP specifies.
 */
export interface OperationEvents {
  /**
   * Records that value moved: as `mint` if it left the asset's issuer, as `burn` if it returned there, otherwise as `transfer`.
   */
  transfer(
    asset: xdr.Asset,
    from: EventParty,
    to: EventParty,
    amount: bigint,
    options?: { readonly allowMuxedIdOrMemo?: boolean },
  ): void;
  burn(asset: xdr.Asset, from: EventParty, amount: bigint): void;
  clawback(asset: xdr.Asset, from: EventParty, amount: bigint): void;
  setAuthorized(asset: xdr.Asset, account: xdr.PublicKey, authorized: boolean): void;
  /** Records one transfer in each direction for every offer or pool that an exchange crossed. */
  claims(source: xdr.MuxedAccount, claims: readonly xdr.ClaimAtom[]): void;
}

/** A party from or to which value moved. */
export type EventParty = xdr.MuxedAccount | xdr.ScAddress;

const drop = (): void => {};

/** The collector for networks that do not emit classic events: drops everything. */
export const droppedEvents: OperationEvents = {
  transfer: drop,
  burn: drop,
  clawback: drop,
  setAuthorized: drop,
  claims: drop,
};

const AMOUNT = xdr.ScVal.scvSymbol('amount');
const TO_MUXED_ID = xdr.ScVal.scvSymbol('to_muxed_id');

/** An amount in stroops (or the asset's smallest unit) as `i128`, for token events. */
export function amountValue(amount: bigint): xdr.ScVal {
  return xdr.ScVal.scvI128(
    new xdr.Int128Parts({ hi: amount < 0n ? -1n : 0n, lo: BigInt.asUintN(64, amount) }),
  );
}

/**
 * The data of an event whose value goes to `to`: the amount alone, or a map that also has the multiplexing id of the
 * destination or, if there is none, the memo of the transaction (CAP-67; stellar-core `getPossibleMuxedData`). A memo counts
 * only for accounts.
 */
function amountTo(to: xdr.ScAddress, amount: bigint, memo: xdr.Memo): xdr.ScVal {
  const id = muxedId(to, memo);
  if (id === undefined) return amountValue(amount);
  return xdr.ScVal.scvMap([
    new xdr.ScMapEntry({ key: AMOUNT, val: amountValue(amount) }),
    new xdr.ScMapEntry({ key: TO_MUXED_ID, val: id }),
  ]);
}

function muxedId(to: xdr.ScAddress, memo: xdr.Memo): xdr.ScVal | undefined {
  if (to.type === 'scAddressTypeMuxedAccount') return xdr.ScVal.scvU64(to.muxedAccount.id);
  return to.type === 'scAddressTypeAccount' ? memoValue(memo) : undefined;
}

function memoValue(memo: xdr.Memo): xdr.ScVal | undefined {
  switch (memo.type) {
    case 'memoNone':
      return undefined;
    case 'memoText':
      return xdr.ScVal.scvString(memo.text);
    case 'memoId':
      return xdr.ScVal.scvU64(memo.id);
    case 'memoHash':
      return xdr.ScVal.scvBytes(memo.hash.value);
    case 'memoReturn':
      return xdr.ScVal.scvBytes(memo.retHash.value);
  }
}

/** A party of an event as a contract address, including its multiplexing id, if any. */
function eventAddress(party: EventParty): xdr.ScAddress {
  switch (party.type) {
    case 'keyTypeEd25519':
      return accountAddress(xdr.PublicKey.publicKeyTypeEd25519(party.ed25519));
    case 'keyTypeMuxedEd25519':
      return xdr.ScAddress.scAddressTypeMuxedAccount(new xdr.MuxedEd25519Account(party.med25519));
    default:
      return party;
  }
}

/** The address of an account. */
export function accountAddress(account: xdr.PublicKey): xdr.ScAddress {
  return xdr.ScAddress.scAddressTypeAccount(account);
}

/** The account of a multiplexed address, for topics; only the data can contain its id. */
function withoutMuxId(address: xdr.ScAddress): xdr.ScAddress {
  if (address.type !== 'scAddressTypeMuxedAccount') return address;
  return accountAddress(xdr.PublicKey.publicKeyTypeEd25519(address.muxedAccount.ed25519));
}

/** True if the address is the account that issues the asset. */
function isIssuerAddress(address: xdr.ScAddress, asset: xdr.Asset): boolean {
  const account = withoutMuxId(address);
  return account.type === 'scAddressTypeAccount' && isIssuer(account.accountId, asset);
}

/**
 * An asset in the format of SEP-11, which its events use: `native` or `CODE:ISSUER`.
 * Asset codes are ASCII, padded with zero bytes.
 */
export function assetName(asset: xdr.Asset): string {
  switch (asset.type) {
    case 'assetTypeNative':
      return 'native';
    case 'assetTypeCreditAlphanum4':
      return nameOf(asset.alphaNum4.assetCode.value, asset.alphaNum4.issuer);
    case 'assetTypeCreditAlphanum12':
      return nameOf(asset.alphaNum12.assetCode.value, asset.alphaNum12.issuer);
  }
}

function nameOf(code: Uint8Array, issuer: xdr.PublicKey): string {
  const end = code.indexOf(0);
  const text = Buffer.from(end < 0 ? code : code.subarray(0, end)).toString('latin1');
  return `${text}:${StrKey.encodeEd25519PublicKey(issuer.ed25519.value)}`;
}

/**
 * The id of the Stellar Asset Contract of an asset: SHA-256 of the `HashIDPreimage` with the network and the asset (CAP-46-06;
 * stellar-core `getAssetContractID`). It is known even if the contract is not deployed.
 */
export function assetContractId(networkId: Uint8Array, asset: xdr.Asset): xdr.ContractId {
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId,
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset),
    }),
  );
  return new xdr.ContractId(hashXdr(preimage));
}

const NO_EXTENSION = xdr.ExtensionPoint.v0();

/** A contract event, as the contract with this id would publish it. */
export function contractEvent(
  contractId: xdr.ContractId,
  topics: xdr.ScVal[],
  data: xdr.ScVal,
): xdr.ContractEvent {
  return new xdr.ContractEvent({
    ext: NO_EXTENSION,
    contractId,
    type: xdr.ContractEventType.contract,
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data })),
  });
}
