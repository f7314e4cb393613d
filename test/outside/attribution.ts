import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { encodeStrKey, TESTNET_PASSPHRASE } from '../../src/protocol/index.ts';
import { readI128 } from '../../src/protocol/stellar/index.ts';
import type { Weather } from './weather.ts';

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();
const ENVELOPE_TYPE_FEE_BUMP = Buffer.from([0, 0, 0, 5]);

/** What a call shows of the payment that it is for. */
interface ReadEnvelope {
  /** Hash under which the ledger knows it; `undefined` for what is only simulated. */
  readonly hash: string | undefined;
  /** The channel. */
  readonly source: string;
  /** Atomic units that it moves; `undefined` for a fence. */
  readonly amount: bigint | undefined;
}

function amountOf(operation: xdr.Operation | undefined): bigint | undefined {
  if (operation?.body.type !== 'invokeHostFunction') return undefined;
  const { hostFunction } = operation.body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return undefined;
  const [, , amount] = hostFunction.invokeContract.args;
  return amount === undefined ? undefined : readI128(amount);
}

function readEnvelope(text: string): ReadEnvelope | undefined {
  const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
  let hash: string | undefined;
  let inner: xdr.Transaction;
  if (envelope.type === 'envelopeTypeTxFeeBump') {
    const { tx } = envelope.feeBump;
    hash = createHash('sha256')
      .update(NETWORK_ID)
      .update(ENVELOPE_TYPE_FEE_BUMP)
      .update(tx.toXdr())
      .digest('hex');
    inner = tx.innerTx.v1.tx;
  } else if (envelope.type === 'envelopeTypeTx') {
    inner = envelope.v1.tx;
  } else {
    return undefined;
  }
  const { sourceAccount } = inner;
  if (sourceAccount.type !== 'keyTypeEd25519') return undefined;
  const source = encodeStrKey('account', sourceAccount.ed25519.value);
  return { hash, source, amount: amountOf(inner.operations[0]) };
}

function textIn(params: unknown, name: string): string | undefined {
  if (typeof params !== 'object' || params === null || !(name in params)) return undefined;
  const value = (params as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

function keysIn(params: unknown): string[] {
  const keys = (params as { keys?: unknown } | undefined)?.keys;
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

/** Finds out for which payment a facilitator calls the RPC server. */
export class Attribution {
  readonly #byAmount = new Map<bigint, Weather>();
  readonly #byNonce = new Map<string, Weather>();
  readonly #byHash = new Map<string, Weather>();
  /** The payment that a channel last served. */
  readonly #byChannel = new Map<string, Weather>();

  /** No two payments have the same amount. */
  add(amount: bigint, weather: Weather): void {
    this.#byAmount.set(amount, weather);
  }

  signed(payer: string, nonce: bigint, weather: Weather): void {
    this.#byNonce.set(`${payer} ${nonce}`, weather);
  }

  /** The payment of a call; `undefined` for calls of the whole process. */
  of(method: string, params: unknown): Weather | undefined {
    switch (method) {
      case 'simulateTransaction':
      case 'sendTransaction':
        return this.#ofEnvelope(method, textIn(params, 'transaction') ?? '');
      case 'getTransaction':
        return this.#byHash.get(textIn(params, 'hash') ?? '');
      case 'getLedgerEntries':
        for (const key of keysIn(params)) {
          const found = this.#ofKey(key);
          if (found !== undefined) return found;
        }
        return undefined;
      default:
        return undefined;
    }
  }

  #ofEnvelope(method: string, text: string): Weather | undefined {
    const read = readEnvelope(text);
    if (read === undefined) return undefined;
    const { hash, source, amount } = read;
    const weather = amount === undefined ? this.#byChannel.get(source) : this.#byAmount.get(amount);
    if (weather === undefined || method !== 'sendTransaction') return weather;
    if (amount !== undefined) this.#byChannel.set(source, weather);
    if (hash !== undefined) this.#byHash.set(hash, weather);
    return weather;
  }

  #ofKey(text: string): Weather | undefined {
    const key = xdr.LedgerKey.fromXdr(text, 'base64');
    if (key.type === 'account') {
      const { accountId } = key.account;
      return this.#byChannel.get(encodeStrKey('account', accountId.ed25519.value));
    }
    if (key.type !== 'contractData') return undefined;
    const { contract, key: name } = key.contractData;
    if (name.type !== 'scvLedgerKeyNonce' || contract.type !== 'scAddressTypeAccount') {
      return undefined;
    }
    const payer = encodeStrKey('account', contract.accountId.ed25519.value);
    return this.#byNonce.get(`${payer} ${name.nonceKey.nonce}`);
  }
}
