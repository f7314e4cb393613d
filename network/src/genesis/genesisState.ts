import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { readSetting, testnetSettings } from '../settings/index.ts';
import { entryKeyId, LedgerState, newAccount, ttlKeyHash } from '../state/index.ts';
import {
  INT64_MAX,
  withAccountLiabilities,
  withTrustlineLiabilities,
} from '../transaction/balances/index.ts';
import { offerLiabilities } from '../transaction/exchange/index.ts';
import { assetContractEntry } from './assetContractEntry.ts';
import { type GenesisModules, genesisContractEntries } from './genesisContracts.ts';
import type { GenesisKeys } from './genesisKeys.ts';
import { NATIVE, USDC, USDC_ISSUER_ID } from './usdc.ts';

const UNIT = 10_000_000n;

/** A level of the market maker's book: the amount sold, in units of 10^-7, and its price in units bought per unit sold. */
interface Level {
  readonly amount: bigint;
  readonly price: xdr.Price;
}

const price = (n: number, d: number): xdr.Price => new xdr.Price({ n, d });

/** Around four lumens per dollar, with the price rising with depth; in total more than any test buys. */
const USDC_LEVELS: readonly Level[] = [
  { amount: 100_000n * UNIT, price: price(401, 100) },
  { amount: 250_000n * UNIT, price: price(405, 100) },
  { amount: 1_000_000n * UNIT, price: price(41, 10) },
  { amount: 10_000_000n * UNIT, price: price(45, 10) },
];
const XLM_LEVELS: readonly Level[] = [
  { amount: 400_000n * UNIT, price: price(2_510, 10_000) },
  { amount: 1_000_000n * UNIT, price: price(253, 1_000) },
  { amount: 4_000_000n * UNIT, price: price(26, 100) },
  { amount: 40_000_000n * UNIT, price: price(28, 100) },
];

/** The market maker's standing offers, on both sides. */
function marketOffers(seller: xdr.PublicKey): xdr.OfferEntry[] {
  const sides = [
    ...USDC_LEVELS.map((level) => ({ ...level, selling: USDC, buying: NATIVE })),
    ...XLM_LEVELS.map((level) => ({ ...level, selling: NATIVE, buying: USDC })),
  ];
  return sides.map(
    (side, at) =>
      new xdr.OfferEntry({
        ...side,
        sellerId: seller,
        offerId: BigInt(at + 1),
        flags: 0,
        ext: xdr.OfferEntryExt.v0(),
      }),
  );
}

const GENESIS_LEDGER = 1;
const TOTAL_COINS = 100_000_000_000n * UNIT;
const NO_HASH = new Uint8Array(32);

/** Balances in 10^-7. */
const FRIENDBOT_XLM = 10_000_000_000n * UNIT;
const MARKET_MAKER_XLM = 100_000_000n * UNIT;
const MARKET_MAKER_USDC = 100_000_000n * UNIT;
const SPONSOR_XLM = 1_000_000n * UNIT;
const CHANNEL_XLM = 10n * UNIT;
const ISSUER_XLM = 10_000n * UNIT;

/** As on testnet: stroops per operation, stroops per unit of reserve, operations per ledger. */
const BASE_FEE = 100;
const BASE_RESERVE = 5_000_000;
const MAX_OPERATIONS = 1_000;

/** The initial state of a network: ledger 1, the same for the same keys and modules. */
export function genesisState(
  protocol: number,
  networkId: Uint8Array,
  keys: GenesisKeys,
  modules: GenesisModules = {},
): LedgerState {
  const offers = marketOffers(keys.marketMaker.publicKey);
  const state = new LedgerState(header(protocol, BigInt(offers.length)));
  const put = (data: xdr.LedgerEntryData): void => {
    const entry = new xdr.LedgerEntry({
      lastModifiedLedgerSeq: GENESIS_LEDGER,
      data,
      ext: xdr.LedgerEntryExt.v0(),
    });
    state.put(entryKeyId(entry), entry);
  };

  for (const setting of testnetSettings()) put(xdr.LedgerEntryData.configSetting(setting));
  for (const account of accounts(keys, offers)) put(xdr.LedgerEntryData.account(account));
  put(xdr.LedgerEntryData.trustline(usdcTrustline(keys.marketMaker.publicKey, offers)));
  for (const offer of offers) put(xdr.LedgerEntryData.offer(offer));

  const { maxEntryTtl } = readSetting(state, 'configSettingStateArchival').stateArchivalSettings;
  const contracts = [
    ...[NATIVE, USDC].map((asset) =>
      xdr.LedgerEntryData.contractData(assetContractEntry(networkId, asset)),
    ),
    ...genesisContractEntries(networkId, keys.root.publicKey, modules),
  ];
  for (const entry of contracts) {
    put(entry);
    put(xdr.LedgerEntryData.ttl(ttlOf(entry, GENESIS_LEDGER + maxEntryTtl - 1)));
  }
  state.header = new xdr.LedgerHeader({ ...state.header, bucketListHash: state.stateHash() });
  return state;
}

function header(protocol: number, idPool: bigint): xdr.LedgerHeader {
  return new xdr.LedgerHeader({
    ledgerVersion: protocol,
    previousLedgerHash: NO_HASH,
    scpValue: new xdr.StellarValue({
      txSetHash: NO_HASH,
      closeTime: 0n,
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: NO_HASH,
    bucketListHash: NO_HASH,
    ledgerSeq: GENESIS_LEDGER,
    totalCoins: TOTAL_COINS,
    feePool: 0n,
    inflationSeq: 0,
    idPool,
    baseFee: BASE_FEE,
    baseReserve: BASE_RESERVE,
    maxTxSetSize: MAX_OPERATIONS,
    skipList: [NO_HASH, NO_HASH, NO_HASH, NO_HASH],
    ext: xdr.LedgerHeaderExt.v0(),
  });
}

/** All accounts; their balances add up to all existing lumens. */
function accounts(keys: GenesisKeys, offers: readonly xdr.OfferEntry[]): xdr.AccountEntry[] {
  const given = [
    account(keys.friendbot.publicKey, FRIENDBOT_XLM),
    account(keys.sponsor.publicKey, SPONSOR_XLM),
    account(USDC_ISSUER_ID, ISSUER_XLM),
    ...keys.channels.map(({ publicKey }) => account(publicKey, CHANNEL_XLM)),
    marketMaker(keys.marketMaker.publicKey, offers),
  ];
  const rest = given.reduce((left, { balance }) => left - balance, TOTAL_COINS);
  // The root account exists before any ledger: its sequence number is 0.
  const root = new xdr.AccountEntry({ ...account(keys.root.publicKey, rest), seqNum: 0n });
  return [root, ...given];
}

function account(accountId: xdr.PublicKey, balance: bigint): xdr.AccountEntry {
  return newAccount(accountId, balance, GENESIS_LEDGER);
}

function marketMaker(id: xdr.PublicKey, offers: readonly xdr.OfferEntry[]): xdr.AccountEntry {
  const plain = new xdr.AccountEntry({
    ...account(id, MARKET_MAKER_XLM),
    numSubEntries: 1 + offers.length,
  });
  return withAccountLiabilities(plain, liabilities(offers, 'assetTypeNative'));
}

function usdcTrustline(id: xdr.PublicKey, offers: readonly xdr.OfferEntry[]): xdr.TrustLineEntry {
  const plain = new xdr.TrustLineEntry({
    accountId: id,
    asset: xdr.TrustLineAsset.assetTypeCreditAlphanum4(USDC.alphaNum4),
    balance: MARKET_MAKER_USDC,
    limit: INT64_MAX,
    flags: xdr.TrustLineFlags.authorizedFlag.value,
    ext: xdr.TrustLineEntryExt.v0(),
  });
  return withTrustlineLiabilities(plain, liabilities(offers, 'assetTypeCreditAlphanum4'));
}

/** The total liabilities of the offers in one of the two assets, buying and selling. */
function liabilities(offers: readonly xdr.OfferEntry[], type: xdr.Asset['type']): xdr.Liabilities {
  let buying = 0n;
  let selling = 0n;
  for (const offer of offers) {
    const of = offerLiabilities(offer.price, offer.amount);
    if (offer.selling.type === type) selling += of.selling;
    else buying += of.buying;
  }
  return new xdr.Liabilities({ buying, selling });
}

/** The TTL of an entry. */
export function ttlOf(data: xdr.LedgerEntryData, liveUntilLedgerSeq: number): xdr.TtlEntry {
  const entry = new xdr.LedgerEntry({
    lastModifiedLedgerSeq: GENESIS_LEDGER,
    data,
    ext: xdr.LedgerEntryExt.v0(),
  });
  return new xdr.TtlEntry({ keyHash: ttlKeyHash(entryKeyId(entry)), liveUntilLedgerSeq });
}

/** SHA-256 of a passphrase, which identifies the network in everything that is signed for it. */
export function networkIdOf(passphrase: string): Buffer {
  return createHash('sha256').update(passphrase).digest();
}
