import { Horizon, Keypair, Memo, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';

const FEE = '100000';
const SECONDS = 60;

export interface ActOptions {
  readonly memo?: Memo;
  /** Who signs besides the source. */
  readonly signers?: readonly Keypair[];
}

/** Who acts on a network, and how. */
export class Cast {
  readonly alice = Keypair.random();
  readonly bob = Keypair.random();
  readonly carol = Keypair.random();
  readonly dave = Keypair.random();
  readonly erin = Keypair.random();
  readonly issuer = Keypair.random();
  readonly passphrase: string;
  readonly server: Horizon.Server;

  constructor(passphrase: string, url: string) {
    this.passphrase = passphrase;
    this.server = new Horizon.Server(url, { allowHttp: true });
  }

  /** Has friendbot make an account. */
  async fund(account: Keypair): Promise<void> {
    await this.server.friendbot(account.publicKey()).call();
  }

  /** Sends a transaction and waits for its ledger. Returns its hash. */
  readonly act = async (
    source: Keypair,
    operations: readonly xdr.Operation[],
    options: ActOptions = {},
  ): Promise<string> => {
    const transaction = await this.build(source, operations, options);
    return (await this.server.submitTransaction(transaction)).hash;
  };

  /** A signed transaction. */
  async build(
    source: Keypair,
    operations: readonly xdr.Operation[],
    { memo = Memo.none(), signers = [] }: ActOptions = {},
  ) {
    const account = await this.server.loadAccount(source.publicKey());
    const builder = new TransactionBuilder(account, {
      fee: FEE,
      networkPassphrase: this.passphrase,
      memo,
    });
    for (const operation of operations) builder.addOperation(operation);
    const transaction = builder.setTimeout(SECONDS).build();
    transaction.sign(source, ...signers);
    return transaction;
  }
}
