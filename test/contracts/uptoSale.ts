import { readFileSync } from 'node:fs';
import {
  Address,
  Asset,
  authorizeEntry,
  Keypair,
  Operation,
  rpc,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import type { RunningLedger } from '../../network/src/index.ts';
import { toI128 } from '../../src/protocol/stellar/index.ts';

const WASM = readFileSync(new URL('../../contracts/wasm/upto.wasm', import.meta.url));

/** What a payer signs; amounts in atomic units. */
export interface UptoTerms {
  readonly from: string;
  readonly to: string;
  readonly ceiling: bigint;
  readonly expirationLedger: number;
  readonly nonce: Uint8Array;
}

/** The end of a transaction on the ledger, and what it was simulated to need. */
export interface Ended {
  readonly answer: rpc.Api.GetSuccessfulTransactionResponse | rpc.Api.GetFailedTransactionResponse;
  readonly resources: xdr.SorobanResources;
  readonly resourceFee: bigint;
}

/** A transaction that is simulated and signed, and not yet sent. */
export interface Prepared {
  readonly transaction: ReturnType<TransactionBuilder['build']>;
  readonly data: xdr.SorobanTransactionData;
}

/** The settlement contract on a network, as a client built on the Stellar SDK uses it. */
export class UptoSale {
  readonly server: rpc.Server;
  readonly passphrase: string;
  readonly token: string;
  contract = '';

  constructor(ledger: RunningLedger) {
    if (ledger.urls === null) throw new Error('the network has no port');
    this.server = new rpc.Server(ledger.urls.rpc, { allowHttp: true });
    this.passphrase = ledger.passphrase;
    this.token = new Asset('USDC', ledger.accounts.usdcIssuer).contractId(this.passphrase);
  }

  /** Uploads the committed module and makes a contract of it. */
  async deploy(deployer: Keypair): Promise<{ readonly uploaded: Ended; readonly created: Ended }> {
    const uploaded = await this.run(deployer, Operation.uploadContractWasm({ wasm: WASM }));
    const hash = returned(uploaded);
    if (hash.type !== 'scvBytes') throw new Error('an upload answers with the hash');
    const address = new Address(deployer.publicKey());
    const created = await this.run(
      deployer,
      Operation.createCustomContract({ address, wasmHash: hash.bytes.value }),
    );
    this.contract = Address.fromScVal(returned(created)).toString();
    return { uploaded, created };
  }

  /** The call of `settle`: eight arguments in the specified order. */
  settle(terms: UptoTerms, actual: bigint, auth: xdr.SorobanAuthorizationEntry[] = []) {
    const args = [
      new Address(this.token).toScVal(),
      new Address(terms.from).toScVal(),
      new Address(terms.to).toScVal(),
      toI128(terms.ceiling),
      xdr.ScVal.scvU32(terms.expirationLedger),
      xdr.ScVal.scvBytes(terms.nonce),
      toI128(actual),
      xdr.ScVal.scvVoid(),
    ];
    return Operation.invokeContractFunction({
      contract: this.contract,
      function: 'settle',
      args,
      auth,
    });
  }

  /** Gives an account some of the token. */
  async fund(from: Keypair, to: string, amount: bigint): Promise<void> {
    const operation = Operation.invokeContractFunction({
      contract: this.token,
      function: 'transfer',
      args: [new Address(from.publicKey()).toScVal(), new Address(to).toScVal(), toI128(amount)],
    });
    const { answer } = await this.run(from, operation);
    if (answer.status !== 'SUCCESS') throw new Error(`funding ended as ${answer.status}`);
  }

  /** What the payer has to sign, from a simulation. */
  async unsigned(caller: Keypair, terms: UptoTerms): Promise<xdr.SorobanAuthorizationEntry> {
    const simulated = await this.simulate(caller, this.settle(terms, terms.ceiling));
    if (!rpc.Api.isSimulationSuccess(simulated)) throw new Error('not to be simulated');
    const [entry, ...others] = simulated.result?.auth ?? [];
    if (entry === undefined || others.length > 0) throw new Error('one entry is to be signed');
    return entry;
  }

  /** The payer's signature: of a key pair, or what a contract account accepts as one. */
  async sign(caller: Keypair, payer: Keypair | xdr.ScVal, terms: UptoTerms) {
    const signer = payer instanceof Keypair ? payer : async () => ({ signatureScVal: payer });
    const entry = await this.unsigned(caller, terms);
    return authorizeEntry(entry, signer, terms.expirationLedger, this.passphrase);
  }

  /** What `settled` answers: the actual amount, or void. */
  async settled(caller: Keypair, terms: UptoTerms): Promise<xdr.ScVal> {
    const simulated = await this.simulate(
      caller,
      Operation.invokeContractFunction({
        contract: this.contract,
        function: 'settled',
        args: [new Address(terms.from).toScVal(), xdr.ScVal.scvBytes(terms.nonce)],
      }),
    );
    if (!rpc.Api.isSimulationSuccess(simulated)) throw new Error('settled cannot be asked');
    return simulated.result?.retval ?? xdr.ScVal.scvVoid();
  }

  async simulate(source: Keypair, operation: xdr.Operation) {
    return this.server.simulateTransaction(await this.build(source, operation));
  }

  /** Simulates and signs. */
  async prepare(source: Keypair, operation: xdr.Operation): Promise<Prepared> {
    const raw = await this.build(source, operation);
    const simulated = await this.server.simulateTransaction(raw);
    if (!rpc.Api.isSimulationSuccess(simulated)) throw new Error(simulated.error);
    const transaction = rpc.assembleTransaction(raw, simulated).build();
    transaction.sign(source);
    return { transaction, data: simulated.transactionData.build() };
  }

  /** Sends, and waits for the end. */
  async send({ transaction, data }: Prepared): Promise<Ended> {
    const { hash, status } = await this.server.sendTransaction(transaction);
    const answer = await this.server.pollTransaction(hash, {
      attempts: 200,
      sleepStrategy: () => 20,
    });
    if (answer.status === rpc.Api.GetTransactionStatus.NOT_FOUND) {
      throw new Error(`sent with ${status} and never found`);
    }
    return { answer, resources: data.resources, resourceFee: data.resourceFee };
  }

  async run(source: Keypair, operation: xdr.Operation): Promise<Ended> {
    return this.send(await this.prepare(source, operation));
  }

  private async build(source: Keypair, operation: xdr.Operation) {
    const account = await this.server.getAccount(source.publicKey());
    return new TransactionBuilder(account, { fee: '100', networkPassphrase: this.passphrase })
      .addOperation(operation)
      .setTimeout(60)
      .build();
  }
}

/** What a call answered. */
function returned({ answer }: Ended): xdr.ScVal {
  const value = 'returnValue' in answer ? answer.returnValue : undefined;
  if (value === undefined) throw new Error(`it ended as ${answer.status}`);
  return value;
}
