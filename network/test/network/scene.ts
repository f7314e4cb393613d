import {
  Asset,
  BASE_FEE,
  Keypair,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { type LedgerOptions, type RunningLedger, startLedger } from '../../src/index.ts';

/** A network with a port, and the SDK's client of it. */
export interface Scene {
  readonly ledger: RunningLedger;
  readonly server: rpc.Server;
  readonly usdc: Asset;
  /** Base URL over http. */
  readonly url: string;
  /** A new account with friendbot's 10,000 XLM. */
  account(): Promise<Keypair>;
  /** Opens a trustline to USDC and buys some. */
  buyUsdc(owner: Keypair, amount: string): Promise<void>;
  /** A signed transaction of these operations, with the source's next sequence number. */
  signed(source: Keypair, ...operations: readonly xdr.Operation[]): Promise<Transaction>;
  /** Sends it, closes a ledger if the network does not close them itself, and returns the result. */
  submit(transaction: Transaction): Promise<rpc.Api.GetSuccessfulTransactionResponse>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startScene(options: LedgerOptions = {}): Promise<Scene> {
  const faults: Error[] = [];
  const ledger = await startLedger({
    port: 0,
    seed: 'scene',
    onFault: (fault) => faults.push(fault),
    ...options,
  });
  const { urls, accounts } = ledger;
  if (urls === null) throw new Error('the network has no port');
  const server = new rpc.Server(urls.rpc, { allowHttp: true });
  const usdc = new Asset('USDC', accounts.usdcIssuer);
  const manual = options.close?.kind === 'manual';

  const signed: Scene['signed'] = async (source, ...operations) => {
    const account = await server.getAccount(source.publicKey());
    const builder = new TransactionBuilder(account, {
      fee: BASE_FEE,
      networkPassphrase: ledger.passphrase,
    });
    for (const operation of operations) builder.addOperation(operation);
    const transaction = builder.setTimeout(60).build();
    transaction.sign(source);
    return transaction;
  };

  const submit: Scene['submit'] = async (transaction) => {
    const { hash, status } = await server.sendTransaction(transaction);
    if (status !== 'PENDING') throw new Error(`${status} at sending`);
    if (manual) ledger.closeLedger();
    const found = await server.pollTransaction(hash, { attempts: 20, sleepStrategy: () => 20 });
    if (found.status !== 'SUCCESS') throw new Error(`${hash} is ${found.status}`);
    return found;
  };

  return {
    ledger,
    server,
    usdc,
    url: urls.http,
    signed,
    submit,
    async account() {
      const keypair = Keypair.random();
      // If nobody else closes ledgers, friendbot does.
      const response = await fetch(`${urls.friendbot}?addr=${keypair.publicKey()}`);
      if (!response.ok) throw new Error(await response.text());
      return keypair;
    },
    async buyUsdc(owner, amount) {
      await submit(await signed(owner, Operation.changeTrust({ asset: usdc })));
      const buy = Operation.pathPaymentStrictReceive({
        sendAsset: Asset.native(),
        sendMax: '5000',
        destination: owner.publicKey(),
        destAsset: usdc,
        destAmount: amount,
      });
      await submit(await signed(owner, buy));
    },
    async [Symbol.asyncDispose]() {
      await ledger.close();
      if (faults.length > 0) throw new AggregateError(faults, 'the network met faults');
    },
  };
}

/** Calls a method over HTTP, without the SDK's help. */
export async function callRpc(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return response.status === 204 ? undefined : await response.json();
}

/** By which a network finds a transaction, in hex. */
export function hashOf(transaction: { hash(): Uint8Array }): string {
  return Buffer.from(transaction.hash()).toString('hex');
}
