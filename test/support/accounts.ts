import { randomUUID } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { decodeStrKey, type StellarAddress } from '../../src/protocol/index.ts';
import { accountKey } from '../../src/protocol/stellar/index.ts';
import { systemClock } from '../../src/server/index.ts';
import { type Signer, submitClassic } from '../../src/server/settlement/index.ts';
import {
  signedEnvelope,
  unsignedEnvelope,
} from '../../src/server/settlement/settlementTransaction.ts';
import { lookUntilDecided } from '../../src/server/settlement/transactionFate.ts';
import type { LocalNetwork } from './localStack.ts';
import { type TestKey, testKey } from './payer.ts';

function publicKey(address: string): xdr.PublicKey {
  const bytes = decodeStrKey('account', address);
  if (bytes === undefined) throw new TypeError(`${address} is not an account`);
  return xdr.PublicKey.publicKeyTypeEd25519(bytes);
}

function usdc({ ledger }: LocalNetwork): xdr.AlphaNum4 {
  return new xdr.AlphaNum4({
    assetCode: new TextEncoder().encode('USDC'),
    issuer: publicKey(ledger.accounts.usdcIssuer),
  });
}

function operation(body: xdr.OperationBody): xdr.Operation {
  return new xdr.Operation({ sourceAccount: null, body });
}

/** Submits operations of an account and waits for them. */
export async function submit(
  local: LocalNetwork,
  source: Signer,
  bodies: readonly xdr.OperationBody[],
): Promise<void> {
  const { entries } = await local.network.getLedgerEntries([accountKey(source)]);
  const [entry] = entries;
  if (entry?.type !== 'account') throw new Error(`${source.address} does not exist`);
  await submitClassic(
    {
      source,
      sequence: entry.account.seqNum + 1n,
      fee: 10_000 * bodies.length,
      operations: bodies.map(operation),
    },
    local.network,
    systemClock,
  );
}

/** A new account with XLM from friendbot and nothing else. */
export async function openAccount(
  local: LocalNetwork,
  name: string = randomUUID(),
): Promise<TestKey> {
  const key = testKey(name);
  const response = await fetch(`${local.friendbotUrl}?addr=${key.address}`);
  if (!response.ok) throw new Error(`friendbot: ${response.status} ${await response.text()}`);
  return key;
}

export function trustUsdc(local: LocalNetwork): xdr.OperationBody {
  return xdr.OperationBody.changeTrust(
    new xdr.ChangeTrustOp({
      line: xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(usdc(local)),
      limit: 2n ** 63n - 1n,
    }),
  );
}

/** Buys USDC on the exchange with XLM. @param amount atomic units */
export function buyUsdc(local: LocalNetwork, buyer: TestKey, amount: bigint): xdr.OperationBody {
  return xdr.OperationBody.pathPaymentStrictReceive(
    new xdr.PathPaymentStrictReceiveOp({
      sendAsset: xdr.Asset.assetTypeNative(),
      sendMax: 50_000_000_000n,
      destination: xdr.MuxedAccount.keyTypeEd25519(buyer.publicKey),
      destAsset: xdr.Asset.assetTypeCreditAlphanum4(usdc(local)),
      destAmount: amount,
      path: [],
    }),
  );
}

/** Pays USDC as any account can. @param amount atomic units */
export function payUsdc(local: LocalNetwork, to: string, amount: bigint): xdr.OperationBody {
  const bytes = decodeStrKey('account', to);
  if (bytes === undefined) throw new TypeError(`${to} is not an account`);
  return xdr.OperationBody.payment(
    new xdr.PaymentOp({
      destination: xdr.MuxedAccount.keyTypeEd25519(bytes),
      asset: xdr.Asset.assetTypeCreditAlphanum4(usdc(local)),
      amount,
    }),
  );
}

/** A new account that can be paid in USDC. */
export async function openSeller(local: LocalNetwork): Promise<TestKey> {
  const seller = await openAccount(local);
  await submit(local, seller, [trustUsdc(local)]);
  return seller;
}

/** A new account that holds USDC. @param amount atomic units */
export async function openPayer(local: LocalNetwork, amount = 100_000_000n): Promise<TestKey> {
  const payer = await openAccount(local);
  await submit(local, payer, [trustUsdc(local), buyUsdc(local, payer, amount)]);
  return payer;
}

export interface Balances {
  readonly xlm: bigint;
  readonly usdc: bigint;
}

/** What an account holds, in stroops and atomic units; nothing if it has no entry. */
export async function balancesOf(
  local: LocalNetwork,
  address: StellarAddress | string,
): Promise<Balances> {
  const accountId = publicKey(address);
  const { entries } = await local.network.getLedgerEntries([
    xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })),
    xdr.LedgerKey.trustline(
      new xdr.LedgerKeyTrustLine({
        accountId,
        asset: xdr.TrustLineAsset.assetTypeCreditAlphanum4(usdc(local)),
      }),
    ),
  ]);
  const [account, line] = entries;
  return {
    xlm: account?.type === 'account' ? account.account.balance : 0n,
    usdc: line?.type === 'trustline' ? line.trustLine.balance : 0n,
  };
}

/** Submits a host function that the account itself authorizes, and waits for it. */
export async function submitSoroban(
  local: LocalNetwork,
  source: Signer,
  hostFunction: xdr.HostFunction,
): Promise<void> {
  const { entries } = await local.network.getLedgerEntries([accountKey(source)]);
  const [entry] = entries;
  if (entry?.type !== 'account') throw new Error(`${source.address} does not exist`);
  const sequence = entry.account.seqNum + 1n;
  const body = (auth: xdr.SorobanAuthorizationEntry[]) =>
    operation(
      xdr.OperationBody.invokeHostFunction(new xdr.InvokeHostFunctionOp({ hostFunction, auth })),
    );
  const draft = (op: xdr.Operation, data?: xdr.SorobanTransactionData) =>
    new xdr.Transaction({
      sourceAccount: xdr.MuxedAccount.keyTypeEd25519(source.publicKey),
      fee: 100 + Number(data?.resourceFee ?? 0n),
      seqNum: sequence,
      cond: xdr.Preconditions.precondNone(),
      memo: xdr.Memo.memoNone(),
      operations: [op],
      ext: data === undefined ? xdr.TransactionExt.v0() : xdr.TransactionExt.sorobanData(data),
    });
  const response = await fetch(local.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'simulateTransaction',
      params: { transaction: unsignedEnvelope(draft(body([])).toXdr()) },
    }),
  });
  const { result } = (await response.json()) as {
    result: { error?: string; transactionData: string; results: { auth: string[] }[] };
  };
  if (result.error !== undefined) throw new Error(result.error);
  const auth = (result.results[0]?.auth ?? []).map((text) =>
    xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64'),
  );
  const data = xdr.SorobanTransactionData.fromXdr(result.transactionData, 'base64');
  const tx = draft(body(auth), data);
  const { envelope, hash } = signedEnvelope(tx.toXdr(), source);
  const sent = await local.network.send(envelope);
  const latest = await local.network.getLatestLedger();
  const decision = await lookUntilDecided(
    hash,
    { lastLedger: latest + 100, sentAfter: 0 },
    systemClock.elapsed() + 20_000,
    local.network,
    systemClock,
  );
  if (decision?.status !== 'succeeded') {
    throw new Error(`${sent.status} ${sent.resultCode}: ${JSON.stringify(decision?.status)}`);
  }
}
