import { commands, env, ProgressLocation, Uri, window } from 'vscode';
import type { Endpoint } from '../endpoints/index.ts';
import { isTemplate } from '../endpoints/index.ts';
import {
  describeFailure,
  describeResult,
  isTestFailure,
  TEST_FAILURES,
  TEST_STEPS,
  TestFailure,
  type TestOffer,
  type TestStep,
} from '../request/index.ts';
import type { App } from './app.ts';
import { explorerLink, type ReadOnlyDocuments } from './settlementDocument.ts';

/** What is to be tested. */
export interface TestTarget {
  readonly url: string;
  readonly method?: string | undefined;
  readonly body?: string | undefined;
}

const LAST_URL = 'lastTestedUrl';

/** Tests endpoints, one at a time (spec: Activation test payment). */
export interface TestPaymentCommand {
  /** Asks for the URL. @param suggestion what stands in the box */
  byUrl(suggestion?: string, method?: string): Promise<void>;
  ofEndpoint(endpoint: Endpoint): Promise<void>;
}

export function createTestPaymentCommand(
  app: App,
  documents: ReadOnlyDocuments,
  onFirstSuccess: () => void,
): TestPaymentCommand {
  let running = false;

  async function test(target: TestTarget): Promise<void> {
    if (running) {
      void window.showInformationMessage(
        'A test payment is under way already. One runs at a time.',
      );
      return;
    }
    running = true;
    try {
      await window.withProgress(
        { location: ProgressLocation.Notification, title: 'Test payment', cancellable: true },
        async (progress, token) => {
          const controller = new AbortController();
          token.onCancellationRequested(() => controller.abort());
          progress.report({ message: 'Waiting for the network…' });
          await pay(target, controller.signal, (message) =>
            progress.report({ message, increment: 100 / TEST_STEPS.length }),
          );
        },
      );
    } finally {
      running = false;
    }
  }

  async function pay(
    target: TestTarget,
    signal: AbortSignal,
    report: (message: string) => void,
  ): Promise<void> {
    const steps: TestStep[] = [];
    const link = (hash: string) => explorerLink(app, hash);
    try {
      await app.startService();
      const { rpcUrl, horizonUrl, friendbotUrl } = app.addresses;
      if (!rpcUrl || !horizonUrl || !friendbotUrl) throw new TestFailure('network_down');
      const { runTestPayment } = await import('../testPayment/index.ts');
      const result = await runTestPayment({
        ...target,
        payToSetting: app.settings.payTo,
        rpcUrl,
        horizonUrl,
        friendbotUrl,
        pollMs: app.settings.network === 'local' ? 20 : 1_000,
        transport: app.transport,
        signal,
        onBegin: (name) => {
          const index = TEST_STEPS.findIndex((step) => step.name === name);
          report(`${index + 1}/${TEST_STEPS.length} ${TEST_STEPS[index]?.title ?? name}…`);
        },
        onDone: (step) => steps.push(step),
      });
      app.log.info(`test payment settled: ${result.settlement}, ${target.url}, ${result.ms} ms`);
      await app.journal.note(result.settlement, target.url.split('?')[0] ?? target.url);
      await documents.openReport(describeResult(result, link));
      app.paid();
      onFirstSuccess();
    } catch (error) {
      if (!isTestFailure(error)) throw error;
      app.log.warn(`test payment: ${error.code}: ${error.message}`);
      if (error.cause !== undefined) app.log.debug(String(error.cause));
      if (error.code !== 'cancelled') {
        void documents.openReport(describeFailure(target.url, error, steps, link));
      }
      if (error.transaction !== '') app.paid();
      void offer(error, target);
    }
  }

  async function offer(failure: TestFailure, target: TestTarget): Promise<void> {
    const { sentence, offers } = TEST_FAILURES[failure.code];
    const reason = failure.detail === '' ? '' : ` (${failure.detail.slice(0, 120)})`;
    const labels = offers.map((name) => OFFERS[name]);
    const choice = await window.showWarningMessage(`${sentence}${reason}`, ...labels);
    const chosen = offers[labels.indexOf(choice ?? '')];
    if (chosen === undefined) return;
    await act(chosen, failure, target);
  }

  async function act(chosen: TestOffer, failure: TestFailure, target: TestTarget): Promise<void> {
    switch (chosen) {
      case 'retry':
        return test(target);
      case 'openUrl':
        await env.openExternal(Uri.parse(target.url));
        return;
      case 'startService':
        await commands.executeCommand('svc-x402.startService');
        return;
      case 'openSettings':
        await commands.executeCommand('svc-x402.openSettings');
        return;
      case 'createWallet':
        await commands.executeCommand('svc-x402.createLocalWallet');
        return;
      case 'showLog':
        app.log.show();
        return;
      case 'resetService':
        await commands.executeCommand('svc-x402.resetLocalNetwork');
        return;
      case 'showSettlement':
        if (failure.transaction !== '') await documents.openSettlement(failure.transaction);
        else await commands.executeCommand('svc-x402.settlements.focus');
    }
  }

  return {
    async byUrl(suggestion, method) {
      const value = suggestion ?? app.context.workspaceState.get<string>(LAST_URL) ?? '';
      const url = await window.showInputBox({
        title: 'Test a paid endpoint',
        prompt: 'URL of the running endpoint. A throwaway key pays its price once in test USDC.',
        value: value === '' ? 'http://localhost:3000/' : value,
        valueSelection: [value.length, value.length],
        ignoreFocusOut: true,
        validateInput: whatIsWrongWithUrl,
      });
      if (url === undefined) return;
      await app.context.workspaceState.update(LAST_URL, url.trim());
      await test({ url: url.trim(), method });
    },
    async ofEndpoint({ exampleUrl, method, exampleBody }) {
      if (isTemplate(exampleUrl)) return this.byUrl(exampleUrl, method);
      await test({ url: exampleUrl, method, body: exampleBody });
    },
  };
}

const OFFERS: Readonly<Record<TestOffer, string>> = {
  retry: 'Try Again',
  openUrl: 'Open URL',
  startService: 'Start Service',
  openSettings: 'Open Settings',
  createWallet: 'Create Local Wallet',
  showLog: 'Show Log',
  showSettlement: 'Show Settlement',
  resetService: 'Reset Local Network',
};

function whatIsWrongWithUrl(text: string): string | undefined {
  const trimmed = text.trim();
  try {
    const { protocol } = new URL(trimmed);
    if (protocol !== 'http:' && protocol !== 'https:') return 'Give an http or https address.';
  } catch {
    return 'Give the whole URL, such as http://localhost:3000/weather/Lima.';
  }
  return isTemplate(trimmed)
    ? 'Put a value in place of each parameter (:city, {city}).'
    : undefined;
}
