import type { AtomicAmount, ContractAddress, StellarAddress } from '../../protocol/index.ts';
import {
  type ChannelTerms,
  type CommitmentBytes,
  channelAddress,
  commitmentBytes,
  readVoucherKey,
  type VoucherKey,
} from '../../protocol/sessions/index.ts';

/** What a seller accepts: its own configuration, never a buyer's. */
export interface SessionOffer {
  /** The contract that deploys channels, and the SHA-256 of the module that it deploys, in hex. */
  readonly opener: ContractAddress;
  readonly module: string;
  readonly token: ContractAddress;
  readonly recipient: StellarAddress;
  /** Ledgers between the start of closing and the refund. */
  readonly waitingPeriod: number;
  /** Ledgers that it takes at most to bring one claim to the ledger. */
  readonly margin: number;
}

/** A channel whose address is that of its terms, with what its vouchers are checked with. `sessionChannel` makes it. */
export interface SessionChannel {
  readonly address: ContractAddress;
  readonly opener: ContractAddress;
  readonly terms: ChannelTerms;
  readonly key: VoucherKey;
  readonly bytes: CommitmentBytes;
}

/**
 * Returns the channel with these terms, once for all of its vouchers; `undefined` if a buyer names another address than that of
 * the terms, or a voucher key whose signatures the ledger does not accept.
 */
export function sessionChannel(
  opener: ContractAddress,
  address: ContractAddress,
  terms: ChannelTerms,
): SessionChannel | undefined {
  const key = readVoucherKey(terms.voucherKey);
  if (key === undefined || channelAddress(opener, terms) !== address) return undefined;
  return { address, opener, terms, key, bytes: commitmentBytes(address) };
}

/** A channel, read from the ledger. */
export interface ChannelReading {
  /** The ledger whose state this is. */
  readonly ledger: number;
  /** SHA-256 of the contract's module, in hex. */
  readonly module: string;
  /** What it holds. */
  readonly balance: bigint;
  /** What the recipient got. */
  readonly withdrawn: bigint;
  /** The first ledger in which the rest can be refunded; `undefined` as long as nobody started closing. */
  readonly refundableFrom: number | undefined;
}

/** The newest voucher that a seller stored. */
export interface StoredVoucher {
  /** What belongs to the recipient in all, which is what was charged so far. */
  readonly amount: AtomicAmount;
  /** 128 hex characters. */
  readonly signature: string;
}

/** Everything that the judgement of a voucher depends on. */
export interface VoucherCase {
  readonly offer: SessionOffer;
  readonly channel: SessionChannel;
  readonly reading: ChannelReading;
  /** The newest ledger, at least as far as the seller's clock knows. */
  readonly now: number;
  readonly stored: StoredVoucher | undefined;
  readonly price: AtomicAmount;
  readonly voucher: StoredVoucher;
}

/** Why a voucher buys nothing. */
export type VoucherRefusal =
  /** Another contract deployed the channel than the one that the seller knows. */
  | 'other_opener'
  /** The contract is not the one that the seller knows, whatever its address says. */
  | 'other_module'
  /** Another recipient, token or waiting period than the seller offers. */
  | 'not_offered'
  /** Someone started closing: the seller claims what it has, and serves no more. */
  | 'closing'
  /** The state was read too long ago: someone may have started closing so early that a claim comes too late. */
  | 'reading_too_old'
  /** Not what was charged so far and the price. */
  | 'wrong_amount'
  /** More than the channel ever held. */
  | 'over_deposit'
  | 'bad_signature';

/** What a voucher is worth to the seller. */
export type VoucherJudgement =
  /**
   * It pays for the request. The handler may run; before the first byte of its answer goes out, `voucher` has to replace `expected`
   * in the store, durably and only if `expected` is still there.
   */
  | {
      readonly verdict: 'serve';
      readonly expected: StoredVoucher | undefined;
      readonly voucher: StoredVoucher;
    }
  /** It is the newest one that was stored: it is answered with the stored response, and charged no second time. */
  | { readonly verdict: 'repeat' }
  | { readonly verdict: 'refuse'; readonly reason: VoucherRefusal };

/**
 * Decides whether a seller may serve for a voucher: only if it can claim the amount whatever the payer does from now on. Pure.
 *
 * 1. The terms hash to the channel's address (`sessionChannel`), the module is the known one, and recipient, token and waiting period are the
 *    seller's.
 * 2. The channel was read with no close started, so recently that a close started just afterwards leaves time for a claim.
 * 3. The amount is what was charged so far and the price, at most what the channel holds and paid out, and the signature is
 *    valid.
 * 4. Amount and signature are stored by compare-and-set before the first byte: `serve` says what replaces what.
 * 5. Once a close is seen, nothing is served: `closing`.
 *
 * A repeat comes before the state of the channel: what was bought stays bought.
 */
export function judgeVoucher(each: VoucherCase): VoucherJudgement {
  const { offer, channel, reading, now, stored, price, voucher } = each;
  const { terms, key, bytes } = channel;
  const refuse = (reason: VoucherRefusal): VoucherJudgement => ({ verdict: 'refuse', reason });

  if (
    stored !== undefined &&
    voucher.amount === stored.amount &&
    voucher.signature === stored.signature
  ) {
    return { verdict: 'repeat' };
  }
  if (channel.opener !== offer.opener) return refuse('other_opener');
  if (reading.module !== offer.module) return refuse('other_module');
  const isOffered =
    terms.recipient === offer.recipient &&
    terms.token === offer.token &&
    terms.waitingPeriod === offer.waitingPeriod;
  if (!isOffered) return refuse('not_offered');

  if (reading.refundableFrom !== undefined) return refuse('closing');
  if (now >= reading.ledger + offer.waitingPeriod - offer.margin) return refuse('reading_too_old');

  const charged = stored?.amount ?? 0n;
  if (voucher.amount !== charged + price) return refuse('wrong_amount');
  if (voucher.amount > reading.balance + reading.withdrawn) return refuse('over_deposit');
  if (!/^[0-9a-f]{128}$/.test(voucher.signature)) return refuse('bad_signature');
  const signature = Buffer.from(voucher.signature, 'hex');
  if (!key.signed(bytes(voucher.amount), signature)) return refuse('bad_signature');
  return { verdict: 'serve', expected: stored, voucher };
}
