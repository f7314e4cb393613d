import { webcrypto } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { formatDecimalAmount, STELLAR_TESTNET, USDC_CONTRACT } from '../../protocol/index.ts';
import {
  accountSigner,
  CannotPayError,
  choosePaymentOption,
  connectRpc,
  DisallowedAssetError,
  type HttpResponse,
  type HttpTransport,
  InvalidRequirementsError,
  MaxAmountExceededError,
  NoUsablePaymentOptionError,
  type PaymentOption,
  PaymentOutcomeUnknownError,
  type PaymentProtocol,
  PaymentRejectedError,
  type PaymentTerms,
  PROTOCOLS,
  payForResource,
  RpcFailedError,
  readPaymentTerms,
  SettledWithoutResourceError,
  type WebCrypto,
  webPlatform,
} from '../../sdk/exact/index.ts';
import { readBalances } from '../chain/index.ts';
import { ReadError, whyNoResponse } from '../http/index.ts';
import {
  readTerms,
  type Terms,
  TestFailure,
  type TestResult,
  type TestStep,
  type TestStepName,
} from '../request/index.ts';
import { t } from '../words/index.ts';
import {
  type Answer,
  answerWords,
  type PaidRequest,
  readAnswer,
  sendRequest,
} from './paidRequest.ts';
import { quoteUsdc } from './quoteUsdc.ts';
import { connectTestNetwork, type TestNetwork } from './rpcSubmit.ts';
import { throwawayKey } from './throwawayKey.ts';
import { usdcAsset, usdcLine } from './usdc.ts';

export interface TestPaymentInput extends PaidRequest {
  /** The configured address that receives the payment; the key must differ from it. */
  readonly payToSetting?: string | undefined;
  readonly rpcUrl: string;
  readonly horizonUrl: string;
  readonly friendbotUrl: string;
  /** Milliseconds between two lookups of a transaction. */
  readonly pollMs: number;
  readonly transport: HttpTransport;
  /** Sends the requests to the endpoint; `transport` if omitted. */
  readonly endpoint?: HttpTransport | undefined;
  readonly signal: AbortSignal;
  readonly onBegin?: (name: TestStepName) => void;
  readonly onDone?: (step: TestStep) => void;
  /** Called with the endpoint's terms, even if they cannot be paid. */
  readonly onTerms?: (terms: Terms) => void;
}

/** Maximum that a test payment spends: 100 USDC. */
const MAX_AMOUNT = 1_000_000_000n;
/** Multiple of the price to buy, from the specification. */
const TIMES_PRICE = 5n;
/** A purchase fails if the price moved by more than this, rather than spending the 10,000 test XLM. */
const SLIPPAGE_PERCENT = 10n;
const MAX_TRUST = 2n ** 63n - 1n;

/**
 * Pays an endpoint once with a key made for it, and reports each step
 * (spec: Activation test payment). The key never leaves this function.
 * @throws TestFailure
 */
export async function runTestPayment(input: TestPaymentInput): Promise<TestResult> {
  const payment = new TestPayment(input);
  try {
    return await payment.run();
  } catch (error) {
    const failure = explainPaymentError(error);
    // Once the payment is in progress, its outcome counts, not the cancellation.
    if (input.signal.aborted && (failure.code === 'internal' || failure.code === 'cancelled')) {
      throw payment.isSent
        ? new TestFailure('outcome_unknown', t('cancelled while it was being paid'))
        : new TestFailure('cancelled');
    }
    throw failure;
  }
}

/** The result of a step. */
interface Done<T> {
  readonly outcome: string;
  readonly transaction?: string;
  readonly value: T;
}

class TestPayment {
  readonly #input: TestPaymentInput;
  readonly #network: TestNetwork;
  readonly #key = throwawayKey();
  readonly #steps: TestStep[] = [];
  /** The endpoint's response to the request that carried the payment. */
  #answer: Answer | undefined;
  #sent = false;

  /** Whether signed bytes have left: from then on the endpoint can settle them, even if nobody waits any longer. */
  get isSent(): boolean {
    return this.#sent;
  }

  constructor(input: TestPaymentInput) {
    this.#input = input;
    this.#network = connectTestNetwork(input.rpcUrl, input.transport, input.pollMs);
  }

  async run(): Promise<TestResult> {
    const started = Date.now();
    await this.#step('key', async () => ({ outcome: this.#key.address, value: undefined }));
    const option = await this.#step('terms', () => this.#compareTerms());
    await this.#step('fund', () => this.#fund());
    await this.#step('trustline', () => this.#openTrustline());
    await this.#step('buy', () => this.#buy(option.amount * TIMES_PRICE));
    const paid = await this.#step('pay', () => this.#pay(option));
    return {
      ...paid,
      url: this.#input.url,
      method: this.#input.method ?? 'GET',
      steps: this.#steps,
      ms: Date.now() - started,
      payer: this.#key.address,
      payTo: option.payTo,
      amount: option.amount,
    };
  }

  async #step<T>(name: TestStepName, work: () => Promise<Done<T>>): Promise<T> {
    const { signal, onBegin, onDone } = this.#input;
    if (signal.aborted) throw new TestFailure('cancelled');
    onBegin?.(name);
    const begun = Date.now();
    const { outcome, transaction, value } = await work();
    const done = {
      name,
      ms: Date.now() - begun,
      outcome,
      ...(transaction === undefined ? {} : { transaction }),
    };
    this.#steps.push(done);
    onDone?.(done);
    return value;
  }

  async #compareTerms(): Promise<Done<PaymentOption>> {
    const { horizonUrl, transport, signal } = this.#input;
    const value = await this.#readTerms();
    this.#requireOtherAddress(value);
    await requireTrustline(value, horizonUrl, transport, signal);
    return { outcome: t('{0} USDC to {1}', formatDecimalAmount(value.amount), value.payTo), value };
  }

  async #readTerms(): Promise<PaymentOption> {
    const { transport, endpoint = transport, signal, onTerms } = this.#input;
    let response: HttpResponse;
    try {
      response = await sendRequest(this.#input, {}, endpoint, signal);
    } catch (cause) {
      if (signal.aborted) throw new TestFailure('cancelled');
      const reason = cause instanceof Error ? cause.message : '';
      const because = whyNoResponse(cause);
      const code =
        because === undefined
          ? 'endpoint_down'
          : because === 'timeout'
            ? 'endpoint_slow'
            : 'endpoint_broken';
      throw new TestFailure(code, reason, '', { cause });
    }
    if (response.status !== 402) {
      throw unpaidFailure(response, await readAnswer(response));
    }
    const challenge = readPaymentTerms(response, {
      protocols: PROTOCOLS,
      network: STELLAR_TESTNET,
      hasAuthorization: this.#hasAuthorization,
      now: Date.now(),
    });
    const payable = { asset: USDC_CONTRACT, mostAmount: MAX_AMOUNT };
    const protocols = protocolsOf(challenge);
    const terms = readTerms(challenge.options, challenge.resource, payable, protocols);
    if (terms !== undefined) onTerms?.(terms);
    return choosePaymentOption(challenge, {
      network: STELLAR_TESTNET,
      maxAmount: MAX_AMOUNT,
      allowedAssets: [USDC_CONTRACT],
    });
  }

  /** MPP is paid in this header: one of the request's own stays. */
  get #hasAuthorization(): boolean {
    return Object.keys(this.#input.headers ?? {}).some((name) => /^authorization$/i.test(name));
  }

  #requireOtherAddress(option: PaymentOption): void {
    const own = this.#key.address;
    if (option.payTo === own || this.#input.payToSetting === own) {
      throw new TestFailure('own_address');
    }
  }

  async #fund(): Promise<Done<undefined>> {
    const { transport, signal, friendbotUrl } = this.#input;
    const url = `${friendbotUrl}?addr=${this.#key.address}`;
    const response = await transport({ method: 'GET', url, signal }).catch((cause: unknown) => {
      throw new TestFailure('network_down', friendbotUrl, '', { cause });
    });
    if (response.status !== 200) {
      throw new TestFailure('funding_failed', t('it responded with {0}', response.status));
    }
    return { outcome: '10,000 XLM', ...hashOf(await response.text()), value: undefined };
  }

  async #openTrustline(): Promise<Done<undefined>> {
    const open = xdr.OperationBody.changeTrust(
      new xdr.ChangeTrustOp({ line: usdcLine(), limit: MAX_TRUST }),
    );
    const transaction = await this.#network.submit(this.#key, [open], this.#input.signal);
    return { outcome: 'open', transaction, value: undefined };
  }

  /** @param wanted atomic units of USDC */
  async #buy(wanted: bigint): Promise<Done<undefined>> {
    const { horizonUrl, transport, signal } = this.#input;
    const { cost, path } = await quoteUsdc(horizonUrl, wanted, transport, signal);
    const buy = xdr.OperationBody.pathPaymentStrictReceive(
      new xdr.PathPaymentStrictReceiveOp({
        sendAsset: xdr.Asset.assetTypeNative(),
        sendMax: cost + (cost * SLIPPAGE_PERCENT) / 100n + 1n,
        destination: xdr.MuxedAccount.keyTypeEd25519(this.#key.publicKey),
        destAsset: usdcAsset(),
        destAmount: wanted,
        path: [...path],
      }),
    );
    const bought = this.#network.submit(this.#key, [buy], signal);
    const transaction = await bought.catch((error: unknown) => {
      const gone = error instanceof TestFailure && /TooFewOffers|OverSendmax/i.test(error.detail);
      throw gone ? new TestFailure('no_liquidity', '', '', { cause: error }) : error;
    });
    const outcome = t(
      '{0} USDC for about {1} XLM',
      formatDecimalAmount(wanted),
      formatDecimalAmount(cost),
    );
    return { outcome, transaction, value: undefined };
  }

  async #pay(
    option: PaymentOption,
  ): Promise<Done<Pick<TestResult, 'settlement' | 'status' | 'body' | 'protocol'>>> {
    const { rpcUrl, transport, signal } = this.#input;
    const { response, payment } = await payForResource((headers) => this.#ask(headers), {
      signer: accountSigner(this.#key.address, this.#key.signHash),
      rpc: connectRpc(rpcUrl, transport),
      platform: webPlatform(webcrypto as unknown as WebCrypto),
      now: Date.now,
      network: STELLAR_TESTNET,
      // Only the terms that were read first are paid; if the seller raises its price, the payment is refused.
      maxAmount: option.amount,
      allowedAssets: [USDC_CONTRACT],
      hasAuthorization: this.#hasAuthorization,
      beforeSigning: (chosen) => this.#requireOtherAddress(chosen),
      beforeSending: () => {
        this.#sent = true;
      },
      signal,
    }).catch((error: unknown) => {
      throw explainSentPayment(error, this.#answer);
    });
    if (!payment) throw new TestFailure('not_paid', t('it responded with {0}', response.status));
    const { settlement, protocol } = payment;
    if (!settlement) {
      throw new TestFailure('outcome_unknown', t('the endpoint did not report the settlement'));
    }
    const { transaction } = settlement;
    if (!(await this.#network.hasSucceeded(transaction, signal))) {
      throw new TestFailure('outcome_unknown', t('the ledger does not show it'), transaction);
    }
    const { status, body } = this.#answer ?? (await readAnswer(response));
    const value = { settlement: transaction, status, body, protocol };
    return { outcome: `${status}, settled`, transaction, value };
  }

  async #ask(payment: Readonly<Record<string, string>>): Promise<HttpResponse> {
    const { transport, endpoint = transport, signal } = this.#input;
    const response = await sendRequest(this.#input, payment, endpoint, signal);
    if (Object.keys(payment).length > 0) this.#answer = await readAnswer(response);
    return response;
  }
}

/** The protocols that terms offer, in the order in which they are preferred. */
function protocolsOf({ options, mpp }: PaymentTerms): readonly PaymentProtocol[] {
  return PROTOCOLS.filter((protocol) =>
    options.some((option) => mpp.has(option) === (protocol === 'mpp')),
  );
}

/** Why a response other than 402 ends a test payment, by what it asks for instead. */
function unpaidFailure(response: HttpResponse, answer: Answer): TestFailure {
  const { status } = answer;
  if (status >= 500) return new TestFailure('endpoint_failed', answerWords(answer));
  if (status >= 300 && status < 400) {
    const location = response.headers.get('location');
    if (location !== null) return new TestFailure('redirected', location);
  }
  if (status === 401 || status === 403) {
    const scheme = response.headers.get('www-authenticate') ?? answerWords(answer);
    return new TestFailure('not_authorized', scheme);
  }
  if (status >= 400) return new TestFailure('request_refused', answerWords(answer));
  return new TestFailure('not_paid');
}

/** A payment to an account without a trustline would otherwise fail only at settlement. */
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

/** Maps the error of a payment that was sent to a test payment failure, by what the ledger showed about the payment. */
function explainSentPayment(error: unknown, answer: Answer | undefined): unknown {
  const isSent =
    error instanceof SettledWithoutResourceError || error instanceof PaymentOutcomeUnknownError;
  if (!isSent || answer === undefined) return error;
  const words = answerWords(answer);
  const { moneyMoved, fate } = error;
  switch (moneyMoved) {
    case 'yes':
      return new TestFailure('settled_without_resource', words, error.transaction, {
        cause: error,
      });
    case 'no':
      return new TestFailure('not_settled', words, '', { cause: error });
    case 'not_yet': {
      const detail =
        fate?.state === 'open'
          ? t('{0}; it can still settle until ledger {1}', words, fate.until)
          : words;
      return new TestFailure('endpoint_failed_paid', detail, '', { cause: error });
    }
    case 'unknown':
      return new TestFailure('outcome_unknown', words, '', { cause: error });
  }
}

/** Maps a payment error to a test payment failure. */
function explainPaymentError(error: unknown): TestFailure {
  if (error instanceof TestFailure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const failure = (code: TestFailure['code'], transaction = '') =>
    new TestFailure(code, detail, transaction, { cause: error });
  if (error instanceof SettledWithoutResourceError) {
    return error.moneyMoved === 'yes'
      ? failure('settled_without_resource', error.transaction)
      : failure('outcome_unknown', error.transaction);
  }
  if (error instanceof PaymentRejectedError) {
    return /trustline_recipient|missing_trustline/.test(error.reason)
      ? failure('payto_without_trustline')
      : failure('facilitator_refused', error.transaction);
  }
  if (error instanceof PaymentOutcomeUnknownError) {
    return failure(error.moneyMoved === 'no' ? 'not_settled' : 'outcome_unknown');
  }
  if (error instanceof MaxAmountExceededError) return failure('price_too_high');
  if (error instanceof DisallowedAssetError) return failure('unsupported_asset');
  if (error instanceof InvalidRequirementsError) return failure('invalid_terms');
  if (error instanceof RpcFailedError) return failure('network_down');
  if (error instanceof CannotPayError) return failure('cannot_pay');
  if (error instanceof NoUsablePaymentOptionError) {
    switch (error.because) {
      case 'fees_not_sponsored':
        return failure('fees_not_sponsored');
      case 'network':
        return failure('wrong_network');
      case 'scheme':
      case 'no_options':
        return failure('no_way_to_pay');
    }
  }
  return failure('internal');
}
