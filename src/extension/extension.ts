import { commands, type ExtensionContext, env, l10n, Uri, window } from 'vscode';
import {
  App,
  addPaymentCommand,
  announceProjectSettings,
  type CommandTable,
  changePriceCommand,
  checkRouteCommand,
  checkSetupCommand,
  copy,
  copyMcpConfiguration,
  createActivityDocuments,
  createAgentBudgetCommands,
  createChangePreview,
  createCodeDiagnostics,
  createDiscovery,
  createPaymentNotifier,
  createPolicyCommands,
  createPortSales,
  createReportPages,
  createRouteLenses,
  createSavedRequests,
  createStatusBar,
  createTraceDocuments,
  createWallet,
  explainListingCommand,
  explainTrustline,
  explorerLink,
  exportEarnings,
  fundWallet,
  installPackages,
  noticeFirstPayment,
  noticeFolderLanguage,
  provideTerminalEnvironment,
  RequestPanel,
  registerCommands,
  registerLanguageModelTools,
  removePaymentCommand,
  resetLocalNetwork,
  reviewWorkspaceSettings,
  routeTarget,
  setPayTo,
  setUpAgents,
  showServiceStatus,
  startService,
  type TestTarget,
  watchGates,
  watchPackages,
  writeSetting,
} from './editor/index.ts';
import type { Row } from './editor/views/index.ts';
import {
  createEarningsView,
  createEndpointsView,
  createPoliciesView,
  createSettlementsView,
  createWalletView,
} from './editor/views/index.ts';
import type { Endpoint } from './endpoints/index.ts';
import type { Sale } from './portSale/index.ts';
import { t, translateWith } from './words/index.ts';

let running: App | undefined;

/** Wires everything together. Nothing is started before the user needs it. */
export function activate(context: ExtensionContext): void {
  translateWith(env.language, l10n.bundle);
  const app = new App(context);
  running = app;
  const discovery = createDiscovery(app);
  const pages = createReportPages(app);
  const activity = createActivityDocuments(app);
  const traces = createTraceDocuments(app);
  const packages = watchPackages();
  const terminals = provideTerminalEnvironment(app);
  const panel = new RequestPanel(app, terminals.variables, () => void noticeFirstPayment(app));
  const saved = createSavedRequests(app, panel);
  const wallet = createWalletView(app);
  const sales = createPortSales(app, (target) => panel.open(target));
  const endpoints = createEndpointsView(app, discovery, sales);
  const settlements = createSettlementsView(app);
  const earnings = createEarningsView(app);
  const policies = createPoliciesView(app);
  const policyCommands = createPolicyCommands(app, policies.refresh);
  const tools = registerLanguageModelTools(app, discovery);
  const preview = createChangePreview();
  const status = createStatusBar(app);
  const checks = window.createOutputChannel('Svc x402 Check');
  const checkRoute = checkRouteCommand(app, checks);

  // The views need the service: it starts with the first one that the user sees.
  // Gates in this window's files also need it: without it, nobody can pay for their endpoints.
  const wake = () => {
    const seen = [wallet, endpoints, settlements, policies].some(({ view }) => view.visible);
    const needed = seen || gates.present;
    if (needed) status.reveal();
    if (needed && app.trusted && app.service.kind === 'stopped' && !app.stoppedByHand) {
      void app.startService().catch(() => undefined);
    }
  };
  const gates = watchGates(app, () => queueMicrotask(wake));

  const table: CommandTable = {
    startService: () => startService(app),
    stopService: async () => {
      await app.stopService();
      await sales.stopAll();
    },
    restartService: async () => {
      await app.stopService();
      await startService(app);
    },
    runRequest: (uri?: unknown, line?: unknown) => saved.run(uri, line),
    chooseRequestEnvironment: () => saved.chooseEnvironment(),
    installPackages: (at?: unknown) => installPackages(app, at instanceof Uri ? at : undefined),
    resetLocalNetwork: () => resetLocalNetwork(app, sales.stopAll),
    chargeForPort: (offer?: { readonly target?: unknown }) => sales.charge(offer),
    stopCharging: (row?: Row) => sales.stop(row?.value as Sale | undefined),
    saveCharging: (row?: Row) => sales.save(row?.value as Sale | undefined),
    testCharging: (row?: Row) => sales.test(row?.value as Sale | undefined),
    showServiceStatus: () => showServiceStatus(app),
    showLog: async () => {
      await app.lookAtLog();
      app.log.show();
    },
    showActivity: (target?: Row | string) =>
      activity.open(typeof target === 'object' ? (target.value as Endpoint).url : target),
    openSettings: () =>
      commands.executeCommand('workbench.action.openSettings', '@ext:svc-x402.svc-x402'),
    reopenGettingStarted: () =>
      commands.executeCommand(
        'workbench.action.openWalkthrough',
        `${context.extension.id}#svc-x402.start`,
        false,
      ),
    setPayTo: () => setPayTo(app),
    createLocalWallet: () => createWallet(app),
    fundWallet: () => fundWallet(app),
    explainTrustline: () => explainTrustline(app),
    addPayment: (at?: unknown) => addPaymentCommand(app, preview, offsetOf(at)),
    removePayment: (at?: unknown) => removePaymentCommand(app, offsetOf(at)),
    changePrice: (at?: unknown, price?: unknown) =>
      changePriceCommand(app, offsetOf(at), typeof price === 'string' ? price : undefined),
    applyChange: () => preview.answer(true),
    discardChange: () => preview.answer(false),
    checkRoute: (at?: unknown) => checkRoute(offsetOf(at)),
    testRoute: async (at?: unknown) => panel.open(await routeTarget(offsetOf(at))),
    explainListing: () => explainListingCommand(app, pages),
    testEndpointByUrl: async (url?: unknown) =>
      panel.open(typeof url === 'string' ? { url } : await routeTarget()),
    testEndpoint: async (row?: Row) =>
      row === undefined ? panel.open() : panel.test(targetOf(row.value as Endpoint)),
    debugAndTest: () => panel.debugAndTest(),
    openEndpoint: (row: Row) => env.openExternal(Uri.parse((row.value as Endpoint).url)),
    copyEndpointUrl: (row: Row) => copy((row.value as Endpoint).url, 'URL'),
    openSettlement: (target: string | Row) => pages.openSettlement(hashOf(target)),
    showTrace: (target?: string | Row) =>
      traces.openTrace(target === undefined ? undefined : hashOf(target)),
    openInExplorer: async (row: Row) => {
      const link = explorerLink(app, hashOf(row));
      if (link === undefined) throw new Error(t('No explorer is set for this network.'));
      await env.openExternal(Uri.parse(link));
    },
    copySettlementHash: (row: Row) => copy(hashOf(row), t('transaction hash')),
    copyText: (text: string) => copy(text, text),
    moreSettlements: () => settlements.more(),
    refreshViews: () => {
      for (const view of [wallet, endpoints, settlements, earnings, policies]) view.refresh();
    },
    exportEarnings: (period?: unknown, timeZone?: unknown) => exportEarnings(app, period, timeZone),
    openEarnings: () => earnings.openTab(),
    ...policyCommands,
    ...createAgentBudgetCommands(app),
    copyMcpConfiguration: () => copyMcpConfiguration(app),
    setUpAgents: () => setUpAgents(app),
    reviewWorkspaceSettings: () => reviewWorkspaceSettings(app),
    checkSetup: () => checkSetupCommand(app, pages),
    stopNotifying: () => writeSetting(app, 'notifyOnEveryPayment', false),
  };

  context.subscriptions.push(
    ...registerCommands(app, table, status.reveal),
    ...[discovery, pages, activity, traces, wallet, endpoints, settlements, earnings, policies],
    ...[
      status,
      checks,
      gates,
      panel,
      sales,
      noticeFolderLanguage(),
      announceProjectSettings(app),
      terminals,
      saved,
      preview,
      packages,
      createRouteLenses(app, packages, status.reveal),
      createCodeDiagnostics(app, packages),
      createPaymentNotifier(app),
    ],
    ...[wallet, endpoints, settlements, policies].map(({ view }) =>
      view.onDidChangeVisibility(wake),
    ),
    app.onChange(wake),
    ...(tools ? [tools] : []),
  );
  wake();
}

/** The editor waits for this when a window closes: the last one ends the service. */
export async function deactivate(): Promise<void> {
  await running?.dispose();
  running = undefined;
}

/** The request to a listed endpoint, with the example from its declaration. */
function targetOf({ exampleUrl, method, exampleBody }: Endpoint): TestTarget {
  const declared =
    exampleBody === undefined
      ? undefined
      : { bodyType: 'json', input: JSON.parse(exampleBody) as unknown };
  return { url: exampleUrl, method, declared };
}

function hashOf(target: string | Row): string {
  return typeof target === 'string' ? target : String(target.value);
}

/** Lenses pass an offset; menus pass the file's URI, and the cursor is the position. */
function offsetOf(argument: unknown): number | undefined {
  return typeof argument === 'number' ? argument : undefined;
}
