// Accounts on the embedded network of a service, by the Stellar SDK, as any wallet makes them.

import {
  Address,
  Asset,
  Keypair,
  nativeToScVal,
  Operation,
  rpc,
  TransactionBuilder,
} from '@stellar/stellar-sdk';

const issuer = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
export const usdc = new Asset('USDC', issuer);

async function submit({ network }, key, operations, prepare = false) {
  const server = new rpc.Server(network.rpcUrl, { allowHttp: true });
  const account = await server.getAccount(key.publicKey());
  const builder = new TransactionBuilder(account, {
    fee: '10000',
    networkPassphrase: network.passphrase,
  });
  for (const operation of operations) builder.addOperation(operation);
  const built = builder.setTimeout(0).build();
  const transaction = prepare ? await server.prepareTransaction(built) : built;
  transaction.sign(key);
  const { hash } = await server.sendTransaction(transaction);
  const { status } = await server.pollTransaction(hash, {
    attempts: 200,
    sleepStrategy: () => 50,
  });
  if (status !== 'SUCCESS') throw new Error(`${hash} ended as ${status}`);
}

/** An account with XLM that can be paid in USDC. @param service what service.json says */
export async function openAccount(service) {
  const key = Keypair.random();
  const { status } = await fetch(`${service.network.friendbotUrl}?addr=${key.publicKey()}`);
  if (status !== 200) throw new Error(`friendbot answered ${status}`);
  await submit(service, key, [Operation.changeTrust({ asset: usdc })]);
  return key;
}

/** Buys USDC and gives it to a smart account. */
export async function fundContract(service, contract, amount) {
  const key = await openAccount(service);
  const buy = Operation.pathPaymentStrictReceive({
    sendAsset: Asset.native(),
    sendMax: '5000',
    destination: key.publicKey(),
    destAsset: usdc,
    destAmount: amount,
    path: [],
  });
  await submit(service, key, [buy]);
  const give = Operation.invokeContractFunction({
    contract: usdc.contractId(service.network.passphrase),
    function: 'transfer',
    args: [
      new Address(key.publicKey()).toScVal(),
      new Address(contract).toScVal(),
      nativeToScVal(BigInt(Math.round(Number(amount) * 1e7)), { type: 'i128' }),
    ],
  });
  await submit(service, key, [give], true);
}
