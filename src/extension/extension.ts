import { commands, type ExtensionContext, env, Uri } from 'vscode';
import {
  App,
  addPaymentCommand,
  askAboutMcp,
  type CommandTable,
  copyMcpConfiguration,
  createChangePreview,
  createCodeDiagnostics,
  createDiscovery,
  createPaymentNotifier,
  createPolicyCommands,
  createReadOnlyDocuments,
  createRouteLenses,
  createStatusBar,
  createTestPaymentCommand,
  createWallet,
  explainListingCommand,
  explainTrustline,
  explorerLink,
  fundWallet,
  registerCommands,
  registerMcpServer,
  removePaymentCommand,
  resetLocalNetwork,
  setPayTo,
  showServiceStatus,
  startService,
  testRoute,
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

let running: App | undefined;

/** Wires everything together; nothing is started before it is asked for. */
export function activate(context: ExtensionContext): void {
  const app = new App(context);
  running = app;
  const discovery = createDiscovery(app);
  const documents = createReadOnlyDocuments(app);
  const test = createTestPaymentCommand(app, documents, () => void askAboutMcp(app));
  const wallet = createWalletView(app);
  const endpoints = createEndpointsView(app, discovery);
  const settlements = createSettlementsView(app);
  const earnings = createEarningsView(app);
  const policies = createPoliciesView(app);
  const policyCommands = createPolicyCommands(app, policies.refresh);
  const mcp = registerMcpServer(app);
  const preview = createChangePreview();
  const status = createStatusBar(app);

  // What is looked at needs the service: it starts with the first view that is seen.
  const wake = () => {
    const seen = [wallet, endpoints, settlements, policies].some(({ view }) => view.visible);
    if (seen) status.reveal();
    if (seen && app.trusted && app.service.kind === 'stopped' && !stoppedByHand) {
      void app.startService().catch(() => undefined);
    }
  };
  let stoppedByHand = false;

  const table: CommandTable = {
    startService: () => {
      stoppedByHand = false;
      return startService(app);
    },
    stopService: () => {
      stoppedByHand = true;
      return app.stopService();
    },
    restartService: async () => {
      await app.stopService();
      await startService(app);
    },
    resetLocalNetwork: () => resetLocalNetwork(app),
    showServiceStatus: () => showServiceStatus(app),
    showLog: () => app.log.show(),
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
    testRoute: (at?: unknown) => testRoute(test, offsetOf(at)),
    explainListing: () => explainListingCommand(app, documents),
    testEndpointByUrl: (url?: unknown) => test.byUrl(typeof url === 'string' ? url : undefined),
    testEndpoint: (row?: Row) =>
      row === undefined ? test.byUrl() : test.ofEndpoint(row.value as Endpoint),
    openEndpoint: (row: Row) => env.openExternal(Uri.parse((row.value as Endpoint).url)),
    copyEndpointUrl: (row: Row) => env.clipboard.writeText((row.value as Endpoint).url),
    openSettlement: (target: string | Row) => documents.openSettlement(hashOf(target)),
    openInExplorer: async (row: Row) => {
      const link = explorerLink(app, hashOf(row));
      if (link === undefined) throw new Error('No explorer is set for this network.');
      await env.openExternal(Uri.parse(link));
    },
    copySettlementHash: (row: Row) => env.clipboard.writeText(hashOf(row)),
    copyText: (text: string) => env.clipboard.writeText(text),
    moreSettlements: () => settlements.more(),
    refreshViews: () => {
      for (const view of [wallet, endpoints, settlements, earnings, policies]) view.refresh();
    },
    ...policyCommands,
    copyMcpConfiguration: () => copyMcpConfiguration(app),
    stopNotifying: () => writeSetting('notifyOnEveryPayment', false),
  };

  context.subscriptions.push(
    ...registerCommands(app, table, status.reveal),
    ...[discovery, documents, wallet, endpoints, settlements, earnings, policies],
    createStatusBar(app),
    ...[
      preview,
      createRouteLenses(app, status.reveal),
      createCodeDiagnostics(app),
      createPaymentNotifier(app),
    ],
    ...[wallet, endpoints, settlements, policies].map(({ view }) =>
      view.onDidChangeVisibility(wake),
    ),
    app.onChange(wake),
    ...(mcp ? [mcp] : []),
  );
  wake();
}

/** The editor waits for this when a window closes: the last one ends the service. */
export async function deactivate(): Promise<void> {
  await running?.dispose();
  running = undefined;
}

function hashOf(target: string | Row): string {
  return typeof target === 'string' ? target : String(target.value);
}

/** Lenses give an offset; menus give the file's URI, and the cursor tells the place. */
function offsetOf(argument: unknown): number | undefined {
  return typeof argument === 'number' ? argument : undefined;
}
