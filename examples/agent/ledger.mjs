// The ledger, through its RPC: accounts, transactions, and contract calls.

import {
  Asset,
  authorizeEntry,
  BASE_FEE,
  Keypair,
  Networks,
  Operation,
  rpc,
  scValToNative,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import { friendbotUrl, rpcUrl } from './settings.mjs';

const server = new rpc.Server(rpcUrl, { allowHttp: rpcUrl.startsWith('http://') });
const networkPassphrase = Networks.TESTNET;
/** Number of ledgers for which an owner's signature is valid. */
const SIGNED_FOR = 50;

/** Circle's USDC on testnet, and its contract. */
const usdc = new Asset('USDC', 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5');
export const usdcContract = usdc.contractId(networkPassphrase);

/**
 * Creates an account that holds USDC: a new key, XLM from friendbot, a trustline, an exchange.
 *
 * @param {string} amount USDC
 * @returns {Promise<Keypair>}
 */
export async function openAccount(amount) {
  const keypair = Keypair.random();
  const address = keypair.publicKey();
  const url = friendbotUrl ?? (await server.getNetwork()).friendbotUrl;
  const answer = await fetch(`${url}?addr=${address}`);
  if (!answer.ok) throw new Error(`Friendbot answered ${answer.status}: ${await answer.text()}`);
  await submit(keypair, Operation.changeTrust({ asset: usdc }));
  const bought = { sendAsset: Asset.native(), sendMax: '1000', destAsset: usdc };
  await submit(
    keypair,
    Operation.pathPaymentStrictReceive({ ...bought, destination: address, destAmount: amount }),
  );
  return keypair;
}

/**
 * Signs, sends and waits for one operation.
 *
 * @param {Keypair} source
 * @param {import('@stellar/stellar-sdk').xdr.Operation} operation
 * @param {(hash: Uint8Array) => import('@stellar/stellar-sdk').xdr.ScVal} [signAsWallet] makes the
 *   signature of a smart account that the operation needs
 * @returns {Promise<{ hash: string, returned: unknown }>}
 */
export async function submit(source, operation, signAsWallet) {
  const contractCall = operation.body.type === 'invokeHostFunction';
  const prepared = contractCall ? await prepare(source, operation, signAsWallet) : undefined;
  const transaction = prepared ?? (await build(source, operation));
  transaction.sign(source);
  const sent = await server.sendTransaction(transaction);
  if (sent.status !== 'PENDING') throw new Error(`The network took no transaction: ${sent.status}`);
  const ended = await server.pollTransaction(sent.hash, {
    attempts: 60,
    // A local network closes in milliseconds, testnet in about five seconds.
    sleepStrategy: (attempt) => Math.min(1000, 5 * 2 ** attempt),
  });
  if (ended.status !== 'SUCCESS') throw new Error(`${sent.hash} ended as ${ended.status}`);
  return {
    hash: sent.hash,
    returned: ended.returnValue === undefined ? undefined : scValToNative(ended.returnValue),
  };
}

/** Returns the result of a contract function; submits nothing. */
export async function ask(source, contract, name, args = []) {
  const { result } = await simulate(await build(source, call(contract, name, args)));
  return scValToNative(result.retval);
}

/** Builds a contract call. */
export function call(contract, name, args) {
  return Operation.invokeContractFunction({ contract, function: name, args });
}

async function build(source, operation) {
  return new TransactionBuilder(await server.getAccount(source.publicKey()), {
    fee: BASE_FEE,
    networkPassphrase,
  })
    .addOperation(operation)
    .setTimeout(60)
    .build();
}

async function simulate(transaction) {
  const simulated = await server.simulateTransaction(transaction);
  if (!rpc.Api.isSimulationSuccess(simulated)) throw new Error(simulated.error);
  return simulated;
}

/** Adds the resources from a simulation; with a smart account's signature, it simulates again. */
async function prepare(source, operation, signAsWallet) {
  const draft = await build(source, operation);
  const recorded = await simulate(draft);
  if (signAsWallet === undefined) return rpc.assembleTransaction(draft, recorded).build();
  const last = recorded.latestLedger + SIGNED_FOR;
  const sign = async (_, hash) => ({ signatureScVal: signAsWallet(hash) });
  const auth = await Promise.all(
    recorded.result.auth.map((entry) => authorizeEntry(entry, sign, last, networkPassphrase)),
  );
  const { hostFunction: func } = operation.body.invokeHostFunctionOp;
  const signed = await build(source, Operation.invokeHostFunction({ func, auth }));
  return rpc.assembleTransaction(signed, await simulate(signed)).build();
}
