import { formatDecimalAmount } from '../../../protocol/index.ts';
import type { Activity } from '../../activity/index.ts';
import type { Exchange } from '../../http/index.ts';
import {
  answered,
  answerShown,
  type BuiltRequest,
  begun,
  type CookieJar,
  endpointTransport,
  failed,
  isTestFailure,
  type OfferShown,
  type Outcome,
  protocolName,
  sizeWords,
  stepBegun,
  stepDone,
  TEST_FAILURES,
  TestFailure,
  type TestOffer,
  type TestResult,
  timeWords,
  withAnswer,
  withTerms,
} from '../../request/index.ts';
import { later, t } from '../../words/index.ts';
import type { App } from '../app.ts';

/** What a payment uses of the extension. */
export type PaymentHost = Pick<
  App,
  | 'service'
  | 'startService'
  | 'addresses'
  | 'settings'
  | 'transport'
  | 'journal'
  | 'activity'
  | 'paid'
> & { readonly log: Pick<App['log'], 'info' | 'warn' | 'debug'> };

export interface PayOnceOptions {
  readonly signal: AbortSignal;
  /** The endpoint without parameter values; earnings are listed under it. */
  readonly route: string;
  /** Called first; can start the endpoint. Returns the URL with the port that the server opened. */
  readonly before: ((signal: AbortSignal) => Promise<string>) | undefined;
  readonly show: (outcome: Outcome) => void;
  /** URL of a transaction in an explorer. */
  readonly linkOf: (hash: string) => string | undefined;
  /** Cookies of the session. */
  readonly jar: CookieJar;
  /** Called with text of a stream as it arrives. */
  readonly onStream: (text: string) => void;
}

/** How a request ended. */
export interface PayOnceResult {
  readonly settled: TestResult | undefined;
  /** The endpoint's last response; `undefined` without one. */
  readonly exchange: Exchange | undefined;
}

/** Sends a request, pays for it once if it has a price, and shows each step. */
export async function payOnce(
  app: PaymentHost,
  asked: BuiltRequest,
  { signal, route, before, show, linkOf, jar, onStream }: PayOnceOptions,
): Promise<PayOnceResult> {
  let outcome = begun();
  const update = (next: Outcome) => {
    outcome = next;
    show(next);
  };
  update(outcome);
  let request = asked;
  let last: Exchange | undefined;
  const endpoint = endpointTransport({
    certificateAuthorityFile: app.addresses.certificateAuthorityFile,
    timeoutMs: asked.timeoutMs,
    signal,
    jar,
    onStream,
    onExchange(seen, isPaid) {
      last = seen;
      if (isPaid) update(withAnswer(outcome, answerShown(seen)));
    },
  });
  try {
    if (app.service.kind === 'unresponsive') throw new TestFailure('service_unresponsive');
    await app.startService();
    if (before !== undefined) {
      update({ ...outcome, headline: t('Starting your server…') });
      request = { ...asked, url: await before(signal) };
    }
    const { rpcUrl, horizonUrl, friendbotUrl } = app.addresses;
    if (!rpcUrl || !horizonUrl || !friendbotUrl) throw new TestFailure('network_down');
    const { runTestPayment } = await import('../../testPayment/index.ts');
    const result = await runTestPayment({
      ...request,
      payToSetting: app.settings.payTo,
      rpcUrl,
      horizonUrl,
      friendbotUrl,
      pollMs: app.settings.network === 'local' ? 20 : 1_000,
      transport: app.transport,
      endpoint,
      signal,
      onBegin: (name) => update(stepBegun(outcome, name)),
      onDone: (step) => update(stepDone(outcome, step, linkOf)),
      onTerms: (terms) => {
        update(withTerms(outcome, terms));
        noteActivity(app, request.url, { kind: 'challenge', price: terms.price });
      },
    });
    app.log.info(`test payment settled: ${result.settlement}, ${request.url}, ${result.ms} ms`);
    await app.journal.note(result.settlement, route);
    const { settlement: hash, payer, amount } = result;
    const price = `${formatDecimalAmount(amount)} USDC`;
    noteActivity(app, request.url, { kind: 'settled', price, payer, hash });
    update(settled(outcome, result, linkOf));
    app.paid();
    return { settled: result, exchange: last };
  } catch (error) {
    const failure = isTestFailure(error) ? error : new TestFailure('internal', wordsOf(error));
    app.log.warn(`test payment: ${failure.code}: ${failure.message}`);
    if (failure.cause !== undefined) app.log.debug(String(failure.cause));
    const { sentence, offers } = TEST_FAILURES[failure.code];
    if (last !== undefined) outcome = withAnswer(outcome, answerShown(last));
    if (failure.code === 'not_paid' && last !== undefined) {
      const { status, statusText, ms, body } = last;
      const line = [status, statusText].join(' ').trim();
      update(
        answered(
          outcome,
          t(
            '{0} in {1}, {2}. The endpoint did not ask for a payment.',
            line,
            timeWords(ms),
            sizeWords(body.length),
          ),
          offersFor(app, offers),
        ),
      );
    } else update(failed(outcome, t(sentence), failure.detail, offersFor(app, offers)));
    if (failure.transaction !== '') app.paid();
    return { settled: undefined, exchange: last };
  }
}

/** Records this test's activity, because the log of a remote facilitator is not available here. */
function noteActivity(
  app: PaymentHost,
  url: string,
  seen: Pick<Activity, 'kind' | 'price'> & Partial<Activity>,
): void {
  const { origin, pathname } = new URL(url);
  app.activity.note({
    ...{ at: Date.now(), url: origin + pathname.replace(/(?<!\/)\/+$/, '') },
    ...{ payer: '', hash: '', reason: '', ...seen },
  });
}

function settled(
  outcome: Outcome,
  { amount, method, url, ms, payer, payTo, settlement, protocol }: TestResult,
  linkOf: (hash: string) => string | undefined,
): Outcome {
  const price = `${formatDecimalAmount(amount)} USDC`;
  return {
    ...outcome,
    running: false,
    kind: 'settled',
    headline: t('Settled: {0} for {1} {2} in {3} s.', price, method, url, (ms / 1000).toFixed(1)),
    receipt: [
      { label: t('Amount'), value: price },
      { label: t('Paid to'), value: payTo },
      { label: t('Protocol'), value: protocolName(protocol) },
      { label: t('Payer'), value: t('{0} (a throwaway key)', payer) },
      {
        label: t('Settlement'),
        value: settlement,
        link: {
          text: t('Show settlement {0}… in the explorer', settlement.slice(0, 8)),
          url: linkOf(settlement),
        },
      },
    ],
    offers: [
      { label: t('Show Settlements'), command: 'svc-x402.settlements.focus' },
      { label: t('Let Agents Find It…'), command: 'svc-x402.setUpAgents' },
    ],
  };
}

const OFFERS: Readonly<Record<TestOffer, OfferShown>> = {
  retry: { label: later('Try Again'), command: 'retry' },
  restartService: { label: later('Restart Service'), command: 'svc-x402.restartService' },
  startAndTest: { label: later('Start and Test'), command: 'start' },
  installPackages: { label: later('Install Packages…'), command: 'svc-x402.installPackages' },
  startService: { label: later('Start Service'), command: 'svc-x402.startService' },
  openSettings: { label: later('Open Settings'), command: 'svc-x402.openSettings' },
  createWallet: { label: later('Create Local Wallet'), command: 'svc-x402.createLocalWallet' },
  showLog: { label: later('Show Log'), command: 'svc-x402.showLog' },
  showSettlement: { label: later('Show Settlements'), command: 'svc-x402.settlements.focus' },
  resetService: { label: later('Reset Local Network'), command: 'svc-x402.resetLocalNetwork' },
  followRedirect: { label: later('Follow the Redirect'), command: 'follow' },
  checkSetup: { label: later('Check Setup'), command: 'svc-x402.checkSetup' },
};

/** On testnet, omits actions that help only on the local network. */
function offersFor(app: PaymentHost, offers: readonly TestOffer[]): readonly OfferShown[] {
  const local = app.settings.network === 'local';
  const fitting = offers.flatMap((name): readonly TestOffer[] => {
    if (local) return [name];
    if (name === 'startService' || name === 'restartService') return ['checkSetup'];
    return name === 'createWallet' || name === 'resetService' ? [] : [name];
  });
  return [...new Set(fitting)].map((name) => ({ ...OFFERS[name], label: t(OFFERS[name].label) }));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
