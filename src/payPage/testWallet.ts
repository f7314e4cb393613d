import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type AccountAddress,
  formatDecimalAmount,
  parseAccountAddress,
  parseDecimalAmount,
  TESTNET_PASSPHRASE,
  USDC_ISSUER,
} from '../protocol/index.ts';
import { accountAddressOf, addressBytes } from '../protocol/stellar/index.ts';
import { accountSigner, type PaymentSigner, type SorobanRpc } from '../sdk/exact/index.ts';
import { askOrigin } from './askOrigin.ts';

/** The key of this browser for this site. The browser signs with it, and shows its secret to nobody, not even to this script. */
interface DeviceKey {
  readonly address: AccountAddress;
  sign(hash: Uint8Array): Promise<Uint8Array>;
}

/** Someone who pays, with funds for one payment. */
export interface TestWallet {
  readonly signer: PaymentSigner;
}

/** A test payment buys this many times its price, so that the next ones need no purchase. */
const TIMES_PRICE = 5n;
/** Friendbot provides 10,000 XLM; the rest pays reserves and fees. */
const MAX_STROOPS = 90_000_000_000n;
const FEE_PER_OPERATION = 10_000;
/** A purchase fails if the price moved by more than this. */
const SLIPPAGE_PERCENT = 10n;
const MAX_TRUST = 2n ** 63n - 1n;
const POLL_MS = 300;
const DECIDE_WITHIN_MS = 60_000;
const USDC_CODE = new TextEncoder().encode('USDC');

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves with the result of a request to the browser's database. */
function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Returns the key of this browser for this site; makes one the first time. */
async function deviceKey(): Promise<DeviceKey> {
  const opening = indexedDB.open('svc-x402', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  const database = await done(opening);
  try {
    const keys = () => database.transaction('keys', 'readwrite').objectStore('keys');
    let pair: CryptoKeyPair | undefined = await done(keys().get('test-wallet'));
    if (pair === undefined) {
      pair = (await crypto.subtle.generateKey('Ed25519', false, [
        'sign',
        'verify',
      ])) as CryptoKeyPair;
      await done(keys().add(pair, 'test-wallet'));
    }
    const { privateKey, publicKey } = pair;
    const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
    return {
      address: accountAddressOf(raw),
      sign: async (hash) =>
        new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, new Uint8Array(hash))),
    };
  } finally {
    database.close();
  }
}

/**
 * Opens the test wallet of this browser, and gives it test money if it lacks some: XLM from friendbot, and USDC for it at the
 * network's exchange.
 * @param price atomic units of USDC that it is to hold at least
 * @param base path below which the seller relays requests to the network
 * @throws Error if the network refuses a step
 */
export async function openTestWallet(
  price: bigint,
  base: string,
  rpc: SorobanRpc,
): Promise<TestWallet> {
  // Two tabs would make two keys, or buy twice.
  return await navigator.locks.request('svc-x402 test wallet', async () => {
    const key = await deviceKey();
    let funds = await fundsOf(key.address, rpc);
    if (funds.sequence === undefined) {
      await askOrigin(`${base}/friendbot`, { address: key.address });
      // A server of testnet can be behind the one that funded the account.
      for (let tries = 0; funds.sequence === undefined && tries < 40; tries += 1) {
        funds = await fundsOf(key.address, rpc);
        if (funds.sequence === undefined) await pause(POLL_MS);
      }
    }
    const { sequence, usdc } = funds;
    if (sequence === undefined) throw new Error('friendbot did not create the account');
    if (usdc === undefined || usdc < price) {
      await buyUsdc({ key, sequence, hasLine: usdc !== undefined }, price * TIMES_PRICE, base);
    }
    return { signer: accountSigner(key.address, key.sign) };
  });
}

function usdc(): xdr.AlphaNum4 {
  return new xdr.AlphaNum4({
    assetCode: USDC_CODE,
    issuer: xdr.PublicKey.publicKeyTypeEd25519(addressBytes(USDC_ISSUER)),
  });
}

interface Funds {
  /** `undefined` without an account. */
  readonly sequence: bigint | undefined;
  /** Atomic units; `undefined` without a trustline. */
  readonly usdc: bigint | undefined;
}

async function fundsOf(address: AccountAddress, rpc: SorobanRpc): Promise<Funds> {
  const accountId = xdr.PublicKey.publicKeyTypeEd25519(addressBytes(address));
  const account = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
  const asset = xdr.TrustLineAsset.assetTypeCreditAlphanum4(usdc());
  const line = xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset }));
  const { entries } = await rpc.entries([account.toXdr('base64'), line.toXdr('base64')]);
  let funds: Funds = { sequence: undefined, usdc: undefined };
  for (const { data: text } of entries) {
    const data = xdr.LedgerEntryData.fromXdr(text, 'base64');
    if (data.type === 'account') funds = { ...funds, sequence: data.account.seqNum };
    if (data.type === 'trustline') funds = { ...funds, usdc: data.trustLine.balance };
  }
  return funds;
}

interface PathAsset {
  readonly asset_type?: unknown;
  readonly asset_code?: unknown;
  readonly asset_issuer?: unknown;
}

function assetOf({ asset_type: type, asset_code: code, asset_issuer: of }: PathAsset): xdr.Asset {
  if (type === 'native') return xdr.Asset.assetTypeNative();
  const account = parseAccountAddress(String(of));
  if (account === undefined || typeof code !== 'string' || !/^[A-Za-z0-9]{1,12}$/.test(code)) {
    throw new Error('the exchange named an asset that cannot be read');
  }
  const issuer = xdr.PublicKey.publicKeyTypeEd25519(addressBytes(account));
  const assetCode = new Uint8Array(code.length <= 4 ? 4 : 12);
  assetCode.set(new TextEncoder().encode(code));
  return code.length <= 4
    ? xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode, issuer }))
    : xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode, issuer }));
}

/** The cheapest way to buy an amount of USDC with XLM. */
async function quoteOf(
  amount: bigint,
  base: string,
): Promise<{ readonly cost: bigint; readonly path: xdr.Asset[] }> {
  const answer = (await askOrigin(`${base}/quote`, { amount: formatDecimalAmount(amount) })) as {
    readonly _embedded?: {
      readonly records?: readonly {
        readonly source_amount: string;
        readonly path: readonly PathAsset[];
      }[];
    };
  };
  const quotes = (answer._embedded?.records ?? []).flatMap(({ source_amount, path }) => {
    const cost = parseDecimalAmount(source_amount);
    return cost === undefined ? [] : [{ cost, path: path.map(assetOf) }];
  });
  const [best] = quotes.sort((a, b) => (a.cost < b.cost ? -1 : 1));
  if (best === undefined || best.cost > MAX_STROOPS) throw new Error('nobody sells test USDC');
  return best;
}

async function buyUsdc(
  {
    key,
    sequence,
    hasLine,
  }: { readonly key: DeviceKey; readonly sequence: bigint; readonly hasLine: boolean },
  amount: bigint,
  base: string,
): Promise<void> {
  const { cost, path } = await quoteOf(amount, base);
  const publicKey = addressBytes(key.address);
  const bodies = [
    ...(hasLine
      ? []
      : [
          xdr.OperationBody.changeTrust(
            new xdr.ChangeTrustOp({
              line: xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(usdc()),
              limit: MAX_TRUST,
            }),
          ),
        ]),
    xdr.OperationBody.pathPaymentStrictReceive(
      new xdr.PathPaymentStrictReceiveOp({
        sendAsset: xdr.Asset.assetTypeNative(),
        sendMax: cost + (cost * SLIPPAGE_PERCENT) / 100n + 1n,
        destination: xdr.MuxedAccount.keyTypeEd25519(publicKey),
        destAsset: xdr.Asset.assetTypeCreditAlphanum4(usdc()),
        destAmount: amount,
        path,
      }),
    ),
  ];
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(publicKey),
    fee: FEE_PER_OPERATION * bodies.length,
    seqNum: sequence + 1n,
    cond: xdr.Preconditions.precondTime(
      new xdr.TimeBounds({ minTime: 0n, maxTime: BigInt(Math.floor(Date.now() / 1000)) + 120n }),
    ),
    memo: xdr.Memo.memoNone(),
    operations: bodies.map((body) => new xdr.Operation({ sourceAccount: null, body })),
    ext: xdr.TransactionExt.v0(),
  });
  const digest = async (bytes: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
  const payload = new xdr.TransactionSignaturePayload({
    networkId: await digest(new TextEncoder().encode(TESTNET_PASSPHRASE)),
    taggedTransaction: xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(tx),
  });
  const hash = await digest(payload.toXdr());
  const signature = new xdr.DecoratedSignature({
    hint: publicKey.subarray(-4),
    signature: await key.sign(hash),
  });
  const envelope = xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx, signatures: [signature] }),
  ).toXdr('base64');
  await submit(
    envelope,
    Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')),
    base,
  );
}

async function submit(envelope: string, hash: readonly string[], base: string): Promise<void> {
  const call = async (method: string, params: object): Promise<string> => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const { result } = (await askOrigin(`${base}/rpc`, body)) as {
      readonly result?: { readonly status?: unknown };
    };
    return String(result?.status);
  };
  const sent = await call('sendTransaction', { transaction: envelope });
  if (sent !== 'PENDING' && sent !== 'DUPLICATE') {
    throw new Error(`the network did not take the purchase of test USDC (${sent})`);
  }
  const deadline = Date.now() + DECIDE_WITHIN_MS;
  for (;;) {
    const status = await call('getTransaction', { hash: hash.join('') });
    if (status === 'SUCCESS') return;
    if (status === 'FAILED') throw new Error('the purchase of test USDC failed');
    if (Date.now() > deadline) throw new Error('no ledger included the purchase of test USDC');
    await pause(POLL_MS);
  }
}
