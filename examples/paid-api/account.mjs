import {
  Asset,
  BASE_FEE,
  Keypair,
  Networks,
  Operation,
  rpc,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import * as settings from './settings.mjs';
import { timed } from './steps.mjs';

/** Circle's USDC on testnet. */
export const usdc = new Asset('USDC', 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5');

export const server = new rpc.Server(settings.rpcUrl, {
  allowHttp: settings.rpcUrl.startsWith('http://'),
});

/**
 * Creates an account that can hold USDC: a new key, XLM from friendbot, a trustline.
 *
 * @param {string} owner the account's owner, for the output
 * @returns {Promise<Keypair>}
 */
export async function openAccount(owner) {
  const keypair = Keypair.random();
  const account = keypair.publicKey();
  await timed(
    'fund',
    () => askFriendbot(account),
    () => ({ owner, account }),
  );
  await timed(
    'trustline',
    () => submit(keypair, Operation.changeTrust({ asset: usdc })),
    ({ hash, ledger }) => ({ owner, hash, ledger }),
  );
  return keypair;
}

/**
 * Buys USDC for XLM on the DEX with a path payment to oneself.
 *
 * @param {Keypair} keypair
 * @param {string} amount USDC, for example `1.5`
 */
export function buyUsdc(keypair, amount) {
  return timed(
    'buy',
    () =>
      submit(
        keypair,
        Operation.pathPaymentStrictReceive({
          sendAsset: Asset.native(),
          sendMax: settings.xlmAtMost,
          destination: keypair.publicKey(),
          destAsset: usdc,
          destAmount: amount,
        }),
      ),
    ({ hash, ledger }) => ({ usdc: amount, hash, ledger }),
  );
}

/**
 * Returns an account's balances, in units of 0.0000001.
 *
 * @param {string} account
 * @returns {Promise<{ xlm: bigint, usdc: bigint }>}
 */
export async function balances(account) {
  const [entry, trustline] = await Promise.all([
    server.getAccountEntry(account),
    server.getAssetBalance(account, usdc),
  ]);
  return {
    xlm: entry.balance().toBigInt(),
    usdc: BigInt(trustline.balanceEntry?.amount ?? 0),
  };
}

/** Returns the same as decimal numbers. */
export function readable({ xlm, usdc }) {
  return { xlm: decimal(xlm), usdc: decimal(usdc) };
}

/**
 * Signs, sends and waits for one operation.
 *
 * @param {Keypair} keypair
 * @param {import('@stellar/stellar-sdk').xdr.Operation} operation
 * @returns {Promise<{ hash: string, ledger: number }>}
 */
export async function submit(keypair, operation) {
  const account = await server.getAccount(keypair.publicKey());
  const transaction = new TransactionBuilder(account, {
    fee: BASE_FEE,
    networkPassphrase: Networks.TESTNET,
  })
    .addOperation(operation)
    .setTimeout(60)
    .build();
  transaction.sign(keypair);
  const sent = await server.sendTransaction(transaction);
  if (sent.status !== 'PENDING') {
    throw new Error(`The network did not take the transaction: ${sent.status} ${codes(sent)}`);
  }
  const result = await server.pollTransaction(sent.hash, {
    attempts: 60,
    // A local network closes in milliseconds, testnet in about five seconds.
    sleepStrategy: (attempt) => Math.min(1000, 5 * 2 ** attempt),
  });
  if (result.status !== 'SUCCESS') {
    throw new Error(`Transaction ${sent.hash} ended as ${result.status} ${codes(result)}`);
  }
  return { hash: sent.hash, ledger: result.ledger };
}

function codes({ errorResult, resultXdr }) {
  return (errorResult ?? resultXdr)?.result().switch().name ?? '';
}

async function askFriendbot(account) {
  const url = settings.friendbotUrl ?? (await server.getNetwork()).friendbotUrl;
  if (!url) throw new Error('This network names no friendbot. Set FRIENDBOT_URL.');
  const answer = await fetch(`${url}?addr=${encodeURIComponent(account)}`);
  if (!answer.ok) throw new Error(`Friendbot answered ${answer.status}: ${await answer.text()}`);
}

/** Formats units of 0.0000001 as a decimal number. */
export function decimal(units) {
  return `${units / 10_000_000n}.${String(units % 10_000_000n).padStart(7, '0')}`;
}
