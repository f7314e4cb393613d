import {
  Account,
  Asset,
  authorizeEntry,
  Keypair,
  nativeToScVal,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { USDC_CONTRACT, USDC_ISSUER } from '../../../common/testnetAssets.ts';

/** Calls a Stellar RPC method, over a socket or in this process. */
export type Call = (method: string, params: object) => Promise<unknown>;

/** The source of the published x402 client's simulations. */
const NOBODY = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';
const PASSPHRASE = 'Test SDF Network ; September 2015';
const USDC = new Asset('USDC', USDC_ISSUER);

/** An account with XLM and USDC, and the transactions it sends. */
export class StellarPayer {
  readonly #call: Call;
  readonly #keypair: Keypair;
  readonly #account: Account;

  private constructor(call: Call, keypair: Keypair, account: Account) {
    this.#call = call;
    this.#keypair = keypair;
    this.#account = account;
  }

  /** The payer for an existing account. */
  static async of(call: Call, keypair: Keypair): Promise<StellarPayer> {
    const sequence = await sequenceOf(call, keypair);
    return new StellarPayer(call, keypair, new Account(keypair.publicKey(), sequence));
  }

  /** A new account that holds USDC. @param fund gives it its first XLM */
  static async open(call: Call, fund: (address: string) => Promise<void>): Promise<StellarPayer> {
    const keypair = Keypair.random();
    await fund(keypair.publicKey());
    const payer = await StellarPayer.of(call, keypair);
    await payer.send(payer.#sign(Operation.changeTrust({ asset: USDC })));
    const buy = Operation.pathPaymentStrictReceive({
      sendAsset: Asset.native(),
      sendMax: '1000',
      destination: keypair.publicKey(),
      destAsset: USDC,
      destAmount: '10',
    });
    await payer.send(payer.#sign(buy));
    return payer;
  }

  /** Creates an account with 2,000 XLM. */
  createAccount(destination: string): Promise<void> {
    return this.send(this.#sign(Operation.createAccount({ destination, startingBalance: '2000' })));
  }

  get address(): string {
    return this.#keypair.publicKey();
  }

  /** Signed payments of 0.0000001 XLM, in the order they must be sent. */
  payments(to: string, count: number): string[] {
    return Array.from({ length: count }, () =>
      this.#sign(
        Operation.payment({ destination: to, asset: Asset.native(), amount: '0.0000001' }),
      ),
    );
  }

  /** The call `transfer` of 0.0000001 USDC, unsigned, as simulations take it. */
  unsignedTransfer(to: string): string {
    return this.#unsigned(this.#transfer(to));
  }

  /** The same with a signed authorization of the payer, as an x402 buyer passes it on. */
  async authorizedTransfer(to: string): Promise<string> {
    const { auth } = await this.simulate(this.#unsigned(this.#transfer(to), NOBODY));
    const signed = await Promise.all(
      auth.map((entry) =>
        authorizeEntry(
          xdr.SorobanAuthorizationEntry.fromXdr(entry, 'base64'),
          this.#keypair,
          1_000_000,
          PASSPHRASE,
        ),
      ),
    );
    return this.#unsigned(this.#transfer(to, signed), NOBODY);
  }

  /** Signed calls of `transfer`, with the resources from one simulation. */
  async transfers(to: string, count: number): Promise<string[]> {
    const { transactionData, auth } = await this.simulate(this.unsignedTransfer(to));
    const entries = auth.map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry, 'base64'));
    return Array.from({ length: count }, () =>
      this.#sign(this.#transfer(to, entries), transactionData),
    );
  }

  async simulate(transaction: string): Promise<{ transactionData: string; auth: string[] }> {
    const simulated = (await this.#call('simulateTransaction', { transaction })) as {
      transactionData?: string;
      results?: readonly { auth?: string[] }[];
      error?: string;
    };
    const { transactionData, results } = simulated;
    if (transactionData === undefined) throw new Error(simulated.error);
    return { transactionData, auth: results?.[0]?.auth ?? [] };
  }

  /** Sends a transaction, and polls until its result exists. */
  async send(transaction: string): Promise<void> {
    const sent = (await this.#call('sendTransaction', { transaction })) as {
      status: string;
      hash: string;
      errorResultXdr?: string;
    };
    if (sent.status !== 'PENDING') throw new Error(`${sent.status} ${sent.errorResultXdr ?? ''}`);
    for (;;) {
      const result = (await this.#call('getTransaction', { hash: sent.hash })) as {
        status: string;
        resultXdr?: string;
      };
      if (result.status === 'SUCCESS') return;
      if (result.status !== 'NOT_FOUND') throw new Error(`failed: ${result.resultXdr ?? ''}`);
    }
  }

  #transfer(to: string, auth: xdr.SorobanAuthorizationEntry[] = []): xdr.Operation {
    return Operation.invokeContractFunction({
      contract: USDC_CONTRACT,
      function: 'transfer',
      args: [
        nativeToScVal(this.address, { type: 'address' }),
        nativeToScVal(to, { type: 'address' }),
        nativeToScVal(1n, { type: 'i128' }),
      ],
      auth,
    });
  }

  #sign(operation: xdr.Operation, sorobanData?: string): string {
    const builder = withDefaults(this.#account).addOperation(operation);
    if (sorobanData !== undefined) builder.setSorobanData(sorobanData);
    const transaction = builder.build();
    transaction.sign(this.#keypair);
    return transaction.toXdr();
  }

  /** Does not use a sequence number of the account. */
  #unsigned(operation: xdr.Operation, source = this.address): string {
    return withDefaults(new Account(source, '0')).addOperation(operation).build().toXdr();
  }
}

function withDefaults(source: Account): TransactionBuilder {
  return new TransactionBuilder(source, {
    fee: '100',
    networkPassphrase: PASSPHRASE,
  }).setTimeout(0);
}

async function sequenceOf(call: Call, keypair: Keypair): Promise<string> {
  const key = xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: keypair.xdrAccountId() }),
  );
  const { entries } = (await call('getLedgerEntries', { keys: [key.toXdr('base64')] })) as {
    entries: readonly { xdr: string }[];
  };
  const entry = entries[0] && xdr.LedgerEntryData.fromXdr(entries[0].xdr, 'base64');
  if (entry?.type !== 'account') throw new Error('Friendbot did not create the account.');
  return entry.account.seqNum.toString();
}
