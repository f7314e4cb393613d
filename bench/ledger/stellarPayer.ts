import {
  Account,
  Asset,
  Keypair,
  nativeToScVal,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';

/** Calls a method of Stellar RPC, over a socket or inside the process. */
export type Call = (method: string, params: object) => Promise<unknown>;

const PASSPHRASE = 'Test SDF Network ; September 2015';
const USDC = new Asset('USDC', 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5');
const USDC_CONTRACT = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';

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

  /** @param fund asks friendbot to create the account */
  static async open(call: Call, fund: (address: string) => Promise<void>): Promise<StellarPayer> {
    const keypair = Keypair.random();
    await fund(keypair.publicKey());
    const sequence = await sequenceOf(call, keypair);
    const payer = new StellarPayer(call, keypair, new Account(keypair.publicKey(), sequence));
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
    return this.#builder(false).addOperation(this.#transfer(to)).build().toXdr();
  }

  /** Signed calls of `transfer`, with the resources that one simulation gave. */
  async transfers(to: string, count: number): Promise<string[]> {
    const simulated = await this.simulate(this.unsignedTransfer(to));
    return Array.from({ length: count }, () =>
      this.#sign(this.#transfer(to), simulated.transactionData),
    );
  }

  async simulate(transaction: string): Promise<{ transactionData: string }> {
    const simulated = (await this.#call('simulateTransaction', { transaction })) as {
      transactionData?: string;
      error?: string;
    };
    if (simulated.transactionData === undefined) throw new Error(simulated.error);
    return { transactionData: simulated.transactionData };
  }

  /** Sends, and asks for the result until it is there. */
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

  #transfer(to: string): xdr.Operation {
    return Operation.invokeContractFunction({
      contract: USDC_CONTRACT,
      function: 'transfer',
      args: [
        nativeToScVal(this.address, { type: 'address' }),
        nativeToScVal(to, { type: 'address' }),
        nativeToScVal(1n, { type: 'i128' }),
      ],
    });
  }

  #sign(operation: xdr.Operation, sorobanData?: string): string {
    const builder = this.#builder(true).addOperation(operation);
    if (sorobanData !== undefined) builder.setSorobanData(sorobanData);
    const transaction = builder.build();
    transaction.sign(this.#keypair);
    return transaction.toXdr();
  }

  /** @param next whether the transaction takes the account's next sequence number */
  #builder(next: boolean): TransactionBuilder {
    const source = next ? this.#account : new Account(this.address, this.#account.sequenceNumber());
    return new TransactionBuilder(source, {
      fee: '100',
      networkPassphrase: PASSPHRASE,
    }).setTimeout(0);
  }
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
