import { createHash } from 'node:crypto';
import {
  Address,
  Asset,
  authorizeEntry,
  Keypair,
  Networks,
  nativeToScVal,
  xdr,
} from '@stellar/stellar-sdk';
import type {
  EntryReader,
  FootprintEntry,
  InvokeRequest,
  InvokeSuccess,
  SimulateInvokeOutcome,
  SimulationAuth,
  SorobanHost,
  StoredEntry,
} from '../../src/host/types.ts';
import { testSettings } from './testSettings.ts';

export const PASSPHRASE = Networks.TESTNET;
export const MIN_PERSISTENT_TTL = 2_073_600;
export const sha256 = (bytes: Uint8Array | string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest());
export const keypair = (seed: string): Keypair => Keypair.fromRawEd25519Seed(sha256(seed));
export const publicKey = (k: Keypair) => xdr.PublicKey.publicKeyTypeEd25519(k.rawPublicKey());
export const addressVal = (who: Keypair | string) =>
  new Address(typeof who === 'string' ? who : who.publicKey()).toScVal();
export const i128 = (n: bigint) => nativeToScVal(n, { type: 'i128' });
export const invokeContract = (contract: string, functionName: string, ...args: xdr.ScVal[]) =>
  xdr.HostFunction.hostFunctionTypeInvokeContract(
    new xdr.InvokeContractArgs({
      contractAddress: new Address(contract).toScAddress(),
      functionName,
      args,
    }),
  );

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Just enough of a ledger to feed the host: entries by key, one invocation at a time, no fees and no checks. */
export class TestLedger {
  readonly host: SorobanHost;
  readonly entries = new Map<string, StoredEntry>();
  readonly issuer = keypair('issuer');
  readonly usdc = new Asset('USDC', this.issuer.publicKey());
  readonly contract = this.usdc.contractId(PASSPHRASE);
  sequence = 1000;
  #seeds = 0;

  constructor(host: SorobanHost) {
    this.host = host;
    host.configure({
      networkId: sha256(PASSPHRASE),
      baseReserve: 5_000_000,
      settings: testSettings().map((s) => s.toXdr()),
    });
  }

  /** A ledger with the asset's contract, funded accounts that trust it, and 1,000 USDC with the first of them. */
  static withUsdc(host: SorobanHost, ...holders: Keypair[]): TestLedger {
    const ledger = new TestLedger(host);
    for (const k of [ledger.issuer, ...holders]) {
      ledger.addAccount(k);
    }
    for (const k of holders) {
      ledger.addTrustline(k);
    }
    ledger.apply(
      xdr.HostFunction.hostFunctionTypeCreateContract(
        new xdr.CreateContractArgs({
          contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAsset(
            ledger.usdc.toXdrObject(),
          ),
          executable: xdr.ContractExecutable.contractExecutableStellarAsset(),
        }),
      ),
      ledger.issuer,
    );
    const [first] = holders;
    if (first !== undefined) {
      ledger.apply(
        invokeContract(ledger.contract, 'mint', addressVal(first), i128(1000_0000000n)),
        ledger.issuer,
      );
    }
    return ledger;
  }

  /** Returns a call that transfers atomic units of the asset. */
  transfer(from: Keypair, to: Keypair, amount: bigint): xdr.HostFunction {
    const args = [addressVal(from), addressVal(to), i128(amount)];
    return invokeContract(this.contract, 'transfer', ...args);
  }

  readonly read: EntryReader = (key) => this.entries.get(hex(key)) ?? null;

  put(key: Uint8Array, entry: Uint8Array, liveUntil: number | null): void {
    this.entries.set(hex(key), { entry, liveUntil });
  }

  #putClassic(key: xdr.LedgerKey, data: xdr.LedgerEntryData): void {
    const entry = new xdr.LedgerEntry({
      lastModifiedLedgerSeq: 1,
      data,
      ext: xdr.LedgerEntryExt.v0(),
    });
    this.put(key.toXdr(), entry.toXdr(), null);
  }

  addAccount(k: Keypair): void {
    const accountId = publicKey(k);
    const account = new xdr.AccountEntry({
      accountId,
      balance: 10_000_0000000n,
      seqNum: 1n,
      numSubEntries: 0,
      inflationDest: null,
      flags: 0,
      homeDomain: '',
      thresholds: Uint8Array.of(1, 0, 0, 0),
      signers: [],
      ext: xdr.AccountEntryExt.v0(),
    });
    this.#putClassic(
      xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })),
      xdr.LedgerEntryData.account(account),
    );
  }

  addTrustline(k: Keypair): void {
    const [accountId, asset] = [publicKey(k), this.usdc.toTrustLineXdrObject()];
    const line = new xdr.TrustLineEntry({
      accountId,
      asset,
      balance: 0n,
      limit: 9223372036854775807n,
      flags: 1,
      ext: xdr.TrustLineEntryExt.v0(),
    });
    this.#putClassic(
      xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset })),
      xdr.LedgerEntryData.trustline(line),
    );
  }

  simulate(
    fn: xdr.HostFunction,
    source: Keypair,
    auth: SimulationAuth = { mode: 'record', allowNonRoot: false, addressV2: true },
  ): SimulateInvokeOutcome {
    return this.host.simulateInvoke({
      ledger: { sequence: this.sequence, closeTime: 1_790_000_000n },
      hostFunction: fn.toXdr(),
      sourceAccount: publicKey(source).toXdr(),
      auth,
      prngSeed: sha256(`seed ${this.#seeds++}`),
      instructionLeeway: 0,
      diagnostics: true,
      read: this.read,
    });
  }

  /** The request that stellar-core would make of these transaction data. */
  request(
    fn: xdr.HostFunction,
    source: Keypair,
    data: xdr.SorobanTransactionData,
    auth: readonly Uint8Array[],
  ): InvokeRequest {
    const { resources } = data;
    const restoredIndices =
      data.ext.type === 'resourceExt' ? data.ext.resourceExt.archivedSorobanEntries : [];
    const { readOnly, readWrite } = resources.footprint;
    const footprint = [...readOnly, ...readWrite].map((key, i): FootprintEntry | null => {
      const bytes = key.toXdr();
      const found = this.read(bytes);
      if (found === null) {
        return null;
      }
      const { entry, liveUntil } = found;
      if (liveUntil === null) {
        return { entry, ttl: null };
      }
      const restored = restoredIndices.includes(i - readOnly.length);
      if (liveUntil < this.sequence && !restored) {
        return null;
      }
      const until = restored ? this.sequence + MIN_PERSISTENT_TTL - 1 : liveUntil;
      return { entry, ttl: { keyHash: sha256(bytes), liveUntil: until } };
    });
    return {
      ledger: { sequence: this.sequence, closeTime: 1_790_000_000n },
      hostFunction: fn.toXdr(),
      resources: resources.toXdr(),
      instructions: resources.instructions,
      restoredIndices,
      sourceAccount: publicKey(source).toXdr(),
      auth,
      footprint,
      prngSeed: sha256(`seed ${this.#seeds++}`),
      diagnostics: true,
    };
  }

  commit(outcome: InvokeSuccess): void {
    for (const { key, readOnly, newValue, ttl } of outcome.changes) {
      const before = this.read(key);
      if (newValue !== null) {
        this.put(key, newValue, ttl?.newLiveUntil ?? null);
      } else if (!readOnly) {
        this.entries.delete(hex(key));
      } else if (before !== null) {
        this.put(key, before.entry, ttl?.newLiveUntil ?? null);
      }
    }
  }

  /** Simulates and applies what needs nobody's signature but the source's. */
  apply(fn: xdr.HostFunction, source: Keypair): InvokeSuccess {
    const simulation = this.simulate(fn, source);
    if (!simulation.ok) {
      throw new Error(simulation.error.message);
    }
    const data = xdr.SorobanTransactionData.fromXdr(simulation.transactionData);
    const outcome = this.host.invoke(this.request(fn, source, data, simulation.auth));
    if (!outcome.ok) {
      throw new Error(outcome.error.summary);
    }
    this.commit(outcome);
    return outcome;
  }

  /** Uploads code and makes a contract of it; returns its address. */
  deploy(code: Uint8Array, source: Keypair): string {
    this.apply(xdr.HostFunction.hostFunctionTypeUploadContractWasm(code), source);
    // Simulations charge as for cached code, because in the next ledger it is.
    this.host.cacheModule(code);
    const preimage = xdr.ContractIdPreimage.contractIdPreimageFromAddress(
      new xdr.ContractIdPreimageFromAddress({
        address: new Address(source.publicKey()).toScAddress(),
        salt: sha256(`salt ${this.#seeds}`),
      }),
    );
    const made = this.apply(
      xdr.HostFunction.hostFunctionTypeCreateContract(
        new xdr.CreateContractArgs({
          contractIdPreimage: preimage,
          executable: xdr.ContractExecutable.contractExecutableWasm(sha256(code)),
        }),
      ),
      source,
    );
    return Address.fromScVal(xdr.ScVal.fromXdr(made.returnValue)).toString();
  }

  /** Signs what a simulation recorded, as a client does. */
  async sign(auth: readonly Uint8Array[], signer: Keypair): Promise<Uint8Array[]> {
    const signed = auth.map((entry) =>
      authorizeEntry(
        xdr.SorobanAuthorizationEntry.fromXdr(entry),
        signer,
        this.sequence + 100,
        PASSPHRASE,
      ),
    );
    return (await Promise.all(signed)).map((entry) => entry.toXdr());
  }
}
