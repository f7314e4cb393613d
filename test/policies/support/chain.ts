import { createHash, randomBytes } from 'node:crypto';
import {
  Address,
  Keypair,
  Operation,
  rpc,
  scValToNative,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import type { ContractAddress } from '../../../src/protocol/index.ts';
import { countedAt } from '../../../src/protocol/policies/index.ts';
import { authorizationPreimage } from '../../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../../src/protocol/wire/index.ts';
import { connectRpc, fetchTransport } from '../../../src/sdk/exact/index.ts';
import { readPolicy } from '../../../src/sdk/policies/index.ts';
import type { LocalNetwork } from '../../support/localStack.ts';
import type { TestKey } from '../../support/payer.ts';

/** Makes a contract account's signature of an authorization's hash. */
export type SignHash = (hash: Uint8Array) => xdr.ScVal | Promise<xdr.ScVal>;

export interface Ended {
  readonly hash: string;
  readonly returned: xdr.ScVal | undefined;
  /** Stroops of the resource fee that simulation asked for. */
  readonly resourceFee: bigint;
  readonly instructions: number;
}

/** What simulation asks for a payment. */
export interface PaymentCost {
  /** Stroops. */
  readonly resourceFee: bigint;
  readonly instructions: number;
  /** Of the ledger: entries that are only read, entries that may be written, and bytes written. */
  readonly resources: xdr.SorobanResources;
}

export interface ReadBudget {
  readonly limit: bigint;
  readonly spent: bigint;
  readonly remaining: bigint;
  readonly resetsAt: bigint | undefined;
}

/** The host's report of a simulation that failed. */
export class Refused extends Error {
  readonly report: string;
  constructor(report: string) {
    super(report.split('\n', 1)[0]);
    this.name = 'Refused';
    this.report = report;
  }
}

/** Contracts on the embedded network, as a client built on the Stellar SDK uses them. */
export class Chain {
  readonly local: LocalNetwork;
  readonly server: rpc.Server;
  readonly networkId: Uint8Array;
  readonly #source: Keypair;

  /** @param source pays for what is called */
  constructor(local: LocalNetwork, source: TestKey) {
    this.local = local;
    this.server = new rpc.Server(local.rpcUrl, { allowHttp: true });
    this.networkId = createHash('sha256').update(local.ledger.passphrase).digest();
    this.#source = Keypair.fromSecret(source.secret);
  }

  async upload(wasm: Uint8Array): Promise<void> {
    await this.#run(Operation.uploadContractWasm({ wasm }));
  }

  /** Uploads a module and makes a contract of it. */
  async deploy({ wasm, hash }: { wasm: Uint8Array; hash: Uint8Array }, args: xdr.ScVal[] = []) {
    await this.upload(wasm);
    const { returned } = await this.#run(
      Operation.createCustomContract({
        address: new Address(this.#source.publicKey()),
        wasmHash: hash,
        constructorArgs: args,
        salt: randomBytes(32),
      }),
    );
    if (returned === undefined) throw new Error('a deployment answers with the address');
    return Address.fromScVal(returned).toString() as ContractAddress;
  }

  /** Calls a function and waits for the ledger; contract accounts sign by `sign`. */
  async call(contract: string, name: string, args: xdr.ScVal[], sign?: SignHash): Promise<Ended> {
    return this.#run(this.#invocation(contract, name, args), sign);
  }

  /** Calls a function with entries that are signed already. */
  async present(
    contract: string,
    name: string,
    args: xdr.ScVal[],
    auth: xdr.SorobanAuthorizationEntry[],
  ): Promise<Ended> {
    return this.#run(this.#invocation(contract, name, args, auth));
  }

  /** What a function answers, as plain values. */
  async ask(contract: string, name: string, args: xdr.ScVal[] = []): Promise<unknown> {
    const simulated = await this.#simulate(this.#invocation(contract, name, args));
    const { result } = simulated;
    return result === undefined ? undefined : scValToNative(result.retval);
  }

  /** What is left of a spending limit, read from its contract's entry, in atomic units and seconds. */
  async budget(policy: string): Promise<ReadBudget> {
    const connection = connectRpc(this.local.rpcUrl, fetchTransport(fetch));
    const read = await readPolicy(policy as ContractAddress, connection);
    if (read.type !== 'spending_limit') throw new TypeError(`${policy} is not a spending limit`);
    const counted = countedAt(read, read.counted, await connection.time());
    const remaining = read.limit - counted.spent;
    return { limit: read.limit, spent: counted.spent, remaining, resetsAt: counted.resetsAt };
  }

  /** What simulation asks for a payment that is signed. */
  async costOf({ paymentPayload }: FacilitatorRequest): Promise<PaymentCost> {
    const text = String(paymentPayload.payload['transaction']);
    const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
    if (envelope.type !== 'envelopeTypeTx') throw new TypeError('another kind of transaction');
    const [operation] = envelope.v1.tx.operations;
    if (operation === undefined) throw new TypeError('it has no operation');
    const { minResourceFee, transactionData } = await this.#simulate(operation);
    const { resources } = transactionData.build();
    const { instructions } = resources;
    return { resourceFee: BigInt(minResourceFee), instructions, resources };
  }

  /** Returns ledger time, in seconds. */
  async pass(seconds: number): Promise<void> {
    await this.local.ledger.control('svc_advanceTime', { seconds });
  }

  async passLedgers(count: number): Promise<void> {
    await this.local.ledger.control('svc_advanceLedgers', { count });
  }

  async latestLedger(): Promise<number> {
    return (await this.server.getLatestLedger()).sequence;
  }

  #invocation(
    contract: string,
    name: string,
    args: xdr.ScVal[],
    auth?: xdr.SorobanAuthorizationEntry[],
  ) {
    return Operation.invokeContractFunction({
      contract,
      function: name,
      args,
      ...(auth === undefined ? {} : { auth }),
    });
  }

  async #build(operation: xdr.Operation) {
    const account = await this.server.getAccount(this.#source.publicKey());
    return new TransactionBuilder(account, {
      fee: '100',
      networkPassphrase: this.local.ledger.passphrase,
    })
      .addOperation(operation)
      .setTimeout(0)
      .build();
  }

  async #simulate(operation: xdr.Operation) {
    // Entries in the form that every account here signs: the newer one has another preimage.
    const call = await this.#build(operation);
    const simulated = await this.server.simulateTransaction(call, undefined, undefined, false);
    if (!rpc.Api.isSimulationSuccess(simulated)) throw new Refused(simulated.error);
    return simulated;
  }

  /** The operation with what the contract accounts in it sign. */
  async #signed(operation: xdr.Operation, sign: SignHash): Promise<xdr.Operation> {
    const { result } = await this.#simulate(operation);
    const last = (await this.latestLedger()) + 50;
    const signing = (result?.auth ?? []).map(async (entry) => {
      const { credentials } = entry;
      if (credentials.type !== 'sorobanCredentialsAddress') return entry;
      const dated = new xdr.SorobanAddressCredentials({
        ...credentials.address,
        signatureExpirationLedger: last,
      });
      return signEntry(dated, entry.rootInvocation, this.networkId, sign);
    });
    const auth = await Promise.all(signing);
    const { body } = operation;
    if (body.type !== 'invokeHostFunction') throw new TypeError('not a contract call');
    const { hostFunction } = body.invokeHostFunctionOp;
    return new xdr.Operation({
      sourceAccount: null,
      body: xdr.OperationBody.invokeHostFunction(
        new xdr.InvokeHostFunctionOp({ hostFunction, auth }),
      ),
    });
  }

  async #run(operation: xdr.Operation, sign?: SignHash): Promise<Ended> {
    const complete = sign === undefined ? operation : await this.#signed(operation, sign);
    const raw = await this.#build(complete);
    const simulated = await this.server.simulateTransaction(raw);
    if (!rpc.Api.isSimulationSuccess(simulated)) throw new Refused(simulated.error);
    const transaction = rpc.assembleTransaction(raw, simulated).build();
    transaction.sign(this.#source);
    const { hash } = await this.server.sendTransaction(transaction);
    const answer = await this.server.pollTransaction(hash, {
      attempts: 200,
      sleepStrategy: () => 20,
    });
    if (answer.status !== 'SUCCESS') throw new Error(`${hash} ended as ${answer.status}`);
    const { resources, resourceFee } = simulated.transactionData.build();
    return {
      hash,
      returned: answer.returnValue,
      resourceFee,
      instructions: resources.instructions,
    };
  }
}

/** An entry with its signature. */
export async function signEntry(
  credentials: xdr.SorobanAddressCredentials,
  rootInvocation: xdr.SorobanAuthorizedInvocation,
  networkId: Uint8Array,
  sign: SignHash,
): Promise<xdr.SorobanAuthorizationEntry> {
  const entry = (signature: xdr.ScVal) =>
    new xdr.SorobanAuthorizationEntry({
      rootInvocation,
      credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
        new xdr.SorobanAddressCredentials({ ...credentials, signature }),
      ),
    });
  const preimage = authorizationPreimage(entry(xdr.ScVal.scvVoid()), networkId);
  return entry(await sign(createHash('sha256').update(preimage).digest()));
}
