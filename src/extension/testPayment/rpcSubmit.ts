import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import * as z from 'zod/mini';
import { type AccountAddress, TESTNET_PASSPHRASE } from '../../protocol/index.ts';
import { addressBytes } from '../../protocol/stellar/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { askRpc } from '../http/index.ts';
import { TestFailure } from '../request/index.ts';
import { t } from '../words/index.ts';
import type { ThrowawayKey } from './throwawayKey.ts';

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();
const FEE_PER_OPERATION = 10_000;
const DECIDE_WITHIN_MS = 60_000;

const sentSchema = z.object({
  status: z.string(),
  hash: z.string(),
  errorResultXdr: z.nullish(z.string()),
});
const decidedSchema = z.object({ status: z.string(), resultXdr: z.nullish(z.string()) });
const entriesSchema = z.object({ entries: z.nullish(z.array(z.object({ xdr: z.string() }))) });

/** The network calls of a test payment, apart from the payment itself. */
export interface TestNetwork {
  /** Submits operations of the key's account and waits until a ledger includes them. */
  submit(
    key: ThrowawayKey,
    operations: readonly xdr.OperationBody[],
    signal: AbortSignal,
  ): Promise<string>;
  /** Whether a transaction is in a ledger and succeeded. */
  hasSucceeded(hash: string, signal: AbortSignal): Promise<boolean>;
}

/** @param pollMs milliseconds between two lookups of a transaction */
export function connectTestNetwork(
  rpcUrl: string,
  transport: HttpTransport,
  pollMs: number,
): TestNetwork {
  let nextId = 1;
  async function call<T>(
    method: string,
    params: object,
    schema: z.ZodMiniType<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const answer = await askRpc(
      transport,
      { url: rpcUrl, id: nextId++, method, params, signal },
      (cause) => new TestFailure('network_down', rpcUrl, '', { cause }),
    );
    if (answer.kind === 'malformed') {
      throw new TestFailure('network_down', t('{0} is not a Stellar RPC', rpcUrl));
    }
    if (answer.kind === 'error') throw new TestFailure('network_down', answer.message);
    const result = z.safeParse(schema, answer.result);
    if (!result.success) throw new TestFailure('network_down', t('{0} cannot be read', method));
    return result.data;
  }

  async function sequenceOf(address: AccountAddress, signal: AbortSignal): Promise<bigint> {
    const key = xdr.LedgerKey.account(
      new xdr.LedgerKeyAccount({
        accountId: xdr.PublicKey.publicKeyTypeEd25519(addressBytes(address)),
      }),
    );
    // A testnet server can lag behind the one that funded the account.
    for (let tries = 0; tries < 20; tries += 1) {
      const { entries } = await call(
        'getLedgerEntries',
        { keys: [key.toXdr('base64')] },
        entriesSchema,
        signal,
      );
      const [entry] = entries ?? [];
      if (entry) {
        const data = xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64');
        if (data.type === 'account') return data.account.seqNum;
      }
      await pause(Math.max(pollMs, 250), signal);
    }
    throw new TestFailure('funding_failed', t('the account does not appear on the ledger'));
  }

  return {
    async submit(key, operations, signal) {
      const sequence = (await sequenceOf(key.address, signal)) + 1n;
      const { envelope, hash } = signedTransaction(key, sequence, operations);
      for (let tries = 0; ; tries += 1) {
        const sent = await call('sendTransaction', { transaction: envelope }, sentSchema, signal);
        if (sent.status === 'PENDING' || sent.status === 'DUPLICATE') break;
        if (sent.status === 'TRY_AGAIN_LATER' && tries < 5) {
          await pause(1_000, signal);
          continue;
        }
        throw new TestFailure('transaction_failed', resultCode(sent.errorResultXdr) || sent.status);
      }
      const deadline = Date.now() + DECIDE_WITHIN_MS;
      for (;;) {
        const { status, resultXdr } = await call('getTransaction', { hash }, decidedSchema, signal);
        if (status === 'SUCCESS') return hash;
        if (status === 'FAILED') {
          throw new TestFailure('transaction_failed', resultCode(resultXdr), hash);
        }
        if (Date.now() > deadline) {
          throw new TestFailure(
            'transaction_failed',
            t('no ledger included it within a minute'),
            hash,
          );
        }
        await pause(pollMs, signal);
      }
    },
    async hasSucceeded(hash, signal) {
      for (let tries = 0; tries < 20; tries += 1) {
        const { status } = await call('getTransaction', { hash }, decidedSchema, signal);
        if (status !== 'NOT_FOUND') return status === 'SUCCESS';
        await pause(Math.max(pollMs, 250), signal);
      }
      return false;
    },
  };
}

function signedTransaction(
  key: ThrowawayKey,
  seqNum: bigint,
  bodies: readonly xdr.OperationBody[],
): { readonly envelope: string; readonly hash: string } {
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(key.publicKey),
    fee: FEE_PER_OPERATION * bodies.length,
    seqNum,
    cond: xdr.Preconditions.precondTime(
      new xdr.TimeBounds({
        minTime: 0n,
        maxTime: BigInt(Math.floor(Date.now() / 1000)) + 120n,
      }),
    ),
    memo: xdr.Memo.memoNone(),
    operations: bodies.map((body) => new xdr.Operation({ sourceAccount: null, body })),
    ext: xdr.TransactionExt.v0(),
  });
  const payload = new xdr.TransactionSignaturePayload({
    networkId: NETWORK_ID,
    taggedTransaction: xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(tx),
  });
  const hash = createHash('sha256').update(payload.toXdr()).digest();
  const signature = new xdr.DecoratedSignature({
    hint: key.publicKey.subarray(-4),
    signature: key.signHash(hash),
  });
  const envelope = xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx, signatures: [signature] }),
  );
  return { envelope: envelope.toXdr('base64'), hash: hash.toString('hex') };
}

/** The name of a result, if informative: `pathPaymentStrictReceiveTooFewOffers`. */
function resultCode(result: string | null | undefined): string {
  if (!result) return '';
  try {
    const { result: outcome } = xdr.TransactionResult.fromXdr(result, 'base64');
    if (outcome.type !== 'txFailed') return outcome.type;
    const [first] = outcome.results;
    const inner = first?.type === 'opInner' ? Object.values(first.tr)[1] : undefined;
    return typeof inner === 'object' && inner !== null && 'type' in inner
      ? String(inner.type)
      : (first?.type ?? outcome.type);
  } catch {
    return '';
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new TestFailure('cancelled'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
