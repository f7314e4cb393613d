import { webcrypto } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { formatDecimalAmount, STELLAR_TESTNET } from '../../protocol/index.ts';
import {
  accountSigner,
  choosePaymentOption,
  connectRpc,
  type HttpResponse,
  type HttpTransport,
  type PaymentOption,
  payForResource,
  readChallenge,
  type WebCrypto,
  webPlatform,
} from '../../sdk/exact/index.ts';
import { readBalances } from '../chain/index.ts';
import { ReadError } from '../http/index.ts';
import type { TestResult, TestStep, TestStepName } from '../request/index.ts';
import { TestFailure } from '../request/index.ts';
import { explainPaymentError } from './explainPaymentError.ts';
import { quoteUsdc } from './quoteUsdc.ts';
import { connectTestNetwork } from './rpcSubmit.ts';
import { throwawayKey } from './throwawayKey.ts';
import { USDC_CONTRACT, usdcAsset, usdcLine } from './usdc.ts';

export interface TestPaymentInput {
  readonly url: string;
  /** HTTP method of the route; `GET` when not given. */
  readonly method?: string | undefined;
  /** JSON body, for routes that take one. */
  readonly body?: string | undefined;
  /** The configured address that is paid; the key must differ from it. */
  readonly payToSetting?: string | undefined;
  readonly rpcUrl: string;
  readonly horizonUrl: string;
  readonly friendbotUrl: string;
  /** Milliseconds between two looks for a transaction. */
  readonly pollMs: number;
  readonly transport: HttpTransport;
  readonly signal: AbortSignal;
  readonly onBegin?: (name: TestStepName) => void;
  readonly onDone?: (step: TestStep) => void;
}

/** A test payment spends at most this: 100 USDC. */
const MOST_AMOUNT = 1_000_000_000n;
/** The specification buys this many times the price. */
const TIMES_PRICE = 5n;
/** Nobody gives their 10,000 test XLM for a price that moved by more than this. */
const SLIPPAGE_PERCENT = 10n;
const MAX_TRUST = 2n ** 63n - 1n;
const SHOWN_BODY = 2_000;

/**
 * Pays an endpoint once with a key made for it, and tells each step
 * (spec: Activation test payment). The key never leaves this function.
 * @throws TestFailure
 */
export async function runTestPayment(input: TestPaymentInput): Promise<TestResult> {
  try {
    return await run(input);
  } catch (error) {
    const failure = explainPaymentError(error);
    // Once the payment is under way its outcome counts, not the wish to stop.
    if (input.signal.aborted && (failure.code === 'internal' || failure.code === 'cancelled')) {
      throw new TestFailure('cancelled');
    }
    throw failure;
  }
}

async function run(input: TestPaymentInput): Promise<TestResult> {
  const { transport, signal, rpcUrl, horizonUrl } = input;
  const method = input.method ?? 'GET';
  const network = connectTestNetwork(rpcUrl, transport, input.pollMs);
  const started = Date.now();
  const steps: TestStep[] = [];
  async function step<T>(
    name: TestStepName,
    work: () => Promise<{ outcome: string; transaction?: string; value: T }>,
  ): Promise<T> {
    if (signal.aborted) throw new TestFailure('cancelled');
    input.onBegin?.(name);
    const begun = Date.now();
    const { outcome, transaction, value } = await work();
    const done = {
      name,
      ms: Date.now() - begun,
      outcome,
      ...(transaction === undefined ? {} : { transaction }),
    };
    steps.push(done);
    input.onDone?.(done);
    return value;
  }

  const key = await step('key', async () => {
    const value = throwawayKey();
    return { outcome: value.address, value };
  });

  const option = await step('terms', async () => {
    const value = await readTerms(input, method);
    requireOtherAddress(key.address, value, input.payToSetting);
    await requireTrustline(value, horizonUrl, transport, signal);
    const price = formatDecimalAmount(value.amount);
    return { outcome: `${price} USDC to ${value.payTo}`, value };
  });

  await step('fund', async () => {
    const response = await transport({
      method: 'GET',
      url: `${input.friendbotUrl}?addr=${key.address}`,
      signal,
    }).catch((cause: unknown) => {
      throw new TestFailure('network_down', input.friendbotUrl, '', { cause });
    });
    if (response.status !== 200) {
      throw new TestFailure('funding_failed', `it answered ${response.status}`);
    }
    return { outcome: '10,000 XLM', ...hashOf(await response.text()), value: undefined };
  });

  await step('trustline', async () => {
    const open = xdr.OperationBody.changeTrust(
      new xdr.ChangeTrustOp({ line: usdcLine(), limit: MAX_TRUST }),
    );
    const transaction = await network.submit(key, [open], signal);
    return { outcome: 'open', transaction, value: undefined };
  });

  const wanted = option.amount * TIMES_PRICE;
  await step('buy', async () => {
    const { cost, path } = await quoteUsdc(horizonUrl, wanted, transport, signal);
    const buy = xdr.OperationBody.pathPaymentStrictReceive(
      new xdr.PathPaymentStrictReceiveOp({
        sendAsset: xdr.Asset.assetTypeNative(),
        sendMax: cost + (cost * SLIPPAGE_PERCENT) / 100n + 1n,
        destination: xdr.MuxedAccount.keyTypeEd25519(key.publicKey),
        destAsset: usdcAsset(),
        destAmount: wanted,
        path: [...path],
      }),
    );
    const transaction = await network.submit(key, [buy], signal).catch((error: unknown) => {
      const gone = error instanceof TestFailure && /TooFewOffers|OverSendmax/i.test(error.detail);
      throw gone ? new TestFailure('no_liquidity', '', '', { cause: error }) : error;
    });
    const outcome = `${formatDecimalAmount(wanted)} USDC for about ${formatDecimalAmount(cost)} XLM`;
    return { outcome, transaction, value: undefined };
  });

  const paid = await step('pay', async () => {
    const { response, payment } = await payForResource((headers) => ask(input, method, headers), {
      signer: accountSigner(key.address, key.signHash),
      rpc: connectRpc(rpcUrl, transport),
      platform: webPlatform(webcrypto as unknown as WebCrypto),
      now: Date.now,
      network: STELLAR_TESTNET,
      // What was read first is what is paid: a seller that raises its price is refused.
      maxAmount: option.amount,
      allowedAssets: [USDC_CONTRACT],
      beforeSigning: (chosen) => requireOtherAddress(key.address, chosen, input.payToSetting),
      signal,
    });
    if (!payment) throw new TestFailure('not_paid', `it answered ${response.status}`);
    const { settlement } = payment;
    if (!settlement) {
      throw new TestFailure('outcome_unknown', 'the endpoint told nothing of the settlement');
    }
    const { transaction } = settlement;
    if (!(await network.hasSucceeded(transaction, signal))) {
      throw new TestFailure('outcome_unknown', 'the ledger does not show it', transaction);
    }
    const value = { settlement: transaction, status: response.status, body: await response.text() };
    return { outcome: `${response.status}, settled`, transaction, value };
  });

  return {
    ...paid,
    body: paid.body.slice(0, SHOWN_BODY),
    url: input.url,
    method,
    steps,
    ms: Date.now() - started,
    payer: key.address,
    payTo: option.payTo,
    amount: option.amount,
  };
}

function ask(
  { url, body, transport, signal }: TestPaymentInput,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const paying = Object.keys(headers).length > 0;
  return transport({
    method,
    url,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    // A request that carries a payment is not given up half-way: its answer tells what became of it.
    ...(paying ? {} : { signal }),
  });
}

async function readTerms(input: TestPaymentInput, method: string): Promise<PaymentOption> {
  let response: HttpResponse;
  try {
    response = await ask(input, method, {});
  } catch (cause) {
    if (input.signal.aborted) throw new TestFailure('cancelled');
    const reason = cause instanceof Error ? cause.message : '';
    throw new TestFailure('endpoint_down', reason, '', { cause });
  }
  if (response.status !== 402) {
    throw new TestFailure('not_paid', `it answered ${response.status}`);
  }
  return choosePaymentOption(readChallenge(response), {
    network: STELLAR_TESTNET,
    maxAmount: MOST_AMOUNT,
    allowedAssets: [USDC_CONTRACT],
  });
}

function requireOtherAddress(
  own: string,
  option: PaymentOption,
  setting: string | undefined,
): void {
  if (option.payTo === own || setting === own) throw new TestFailure('own_address');
}

/** A payment to an account without a trustline would fail only when it settles. */
async function requireTrustline(
  { payTo }: PaymentOption,
  horizonUrl: string,
  transport: HttpTransport,
  signal: AbortSignal,
): Promise<void> {
  if (!payTo.startsWith('G')) return;
  try {
    const balances = await readBalances(horizonUrl, payTo, transport, signal);
    if (balances?.usdc === undefined) throw new TestFailure('payto_without_trustline', payTo);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw new TestFailure('network_down', error.message, '', { cause: error });
  }
}

function hashOf(text: string): { transaction?: string } {
  const hash = /"hash"\s*:\s*"([0-9a-f]{64})"/.exec(text)?.[1];
  return hash === undefined ? {} : { transaction: hash };
}
