import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, env, ProgressLocation, type QuickPickItem, Uri, window } from 'vscode';
import { isHealthy, serviceFace, serviceOf } from '../service/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

const WARM_UP_MS = 120_000;

/** "Svc: Start local service" */
export async function startService(app: App): Promise<void> {
  if (app.settings.network === 'testnet') return warmUp(app);
  await window.withProgress(
    { location: ProgressLocation.Window, title: t('Starting the local x402 service') },
    () => app.startService(),
  );
}

/** A hosted facilitator might be asleep: `/health` wakes it (spec: Limits/Cold start). */
async function warmUp(app: App): Promise<void> {
  const { facilitatorUrl } = app.addresses;
  if (facilitatorUrl === undefined) {
    const choice = await window.showWarningMessage(
      t('No local service runs on testnet. Set the facilitator that your endpoints use.'),
      t('Open Settings'),
    );
    if (choice) await commands.executeCommand('svc-x402.openSettings');
    return;
  }
  const awake = await window.withProgress(
    {
      location: ProgressLocation.Notification,
      title: t('Waking {0}', new URL(facilitatorUrl).host),
      cancellable: true,
    },
    async (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      progress.report({ message: t('Free instances sleep when idle, so this can take a minute.') });
      const deadline = Date.now() + WARM_UP_MS;
      while (Date.now() < deadline && !controller.signal.aborted) {
        if (await isHealthy(facilitatorUrl, app.transport, controller.signal)) return true;
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
      return false;
    },
  );
  if (awake) void window.showInformationMessage(t('{0} responds.', facilitatorUrl));
  else void window.showWarningMessage(t('{0} did not respond within two minutes.', facilitatorUrl));
}

/**
 * "Svc: Reset the local network": stops the service and deletes its ledger.
 * @param stopSales ends what sells on this network
 */
export async function resetLocalNetwork(app: App, stopSales: () => Promise<void>): Promise<void> {
  const reset = t('Reset');
  const choice = await window.showWarningMessage(
    t(
      'Reset the local network? This deletes its accounts, balances, settlements and your local wallet.',
    ),
    { modal: true },
    reset,
  );
  if (choice !== reset) return;
  await stopSales();
  await app.stopService();
  // The catalog and the settlement journal are deleted with the ledger that they describe.
  for (const name of [
    'ledger',
    'service.json',
    'service.db',
    'service.db-wal',
    'service.db-journal',
    'service.db.settled',
  ]) {
    await rm(join(app.dataFolder(), name), { recursive: true, force: true });
  }
  await app.startService();
}

interface Action extends QuickPickItem {
  readonly run: () => unknown;
}

/** "Svc: Show Service Status": shows what is running, with actions. */
export async function showServiceStatus(app: App): Promise<void> {
  const { service, settings, addresses } = app;
  const actions: Action[] = [];
  const command = (label: string, id: string) =>
    actions.push({ label, run: () => commands.executeCommand(id) });
  if (settings.network === 'local') {
    if (serviceOf(service) !== undefined) {
      command(t('$(debug-stop) Stop the local service'), 'svc-x402.stopService');
      command(t('$(debug-restart) Restart the local service'), 'svc-x402.restartService');
    } else {
      command(t('$(play) Start the local service'), 'svc-x402.startService');
    }
  } else {
    command(t('$(plug) Wake the facilitator'), 'svc-x402.startService');
  }
  for (const [name, url] of [
    ['facilitator', addresses.facilitatorUrl],
    ['RPC', addresses.rpcUrl],
    ['Horizon', addresses.horizonUrl],
    ['friendbot', addresses.friendbotUrl],
  ] as const) {
    if (url === undefined) continue;
    actions.push({
      label: t('$(copy) Copy {0} URL', name),
      description: url,
      run: () => env.clipboard.writeText(url),
    });
  }
  const { explorerUrl } = addresses;
  if (explorerUrl !== undefined) {
    actions.push({
      label: t('$(link-external) Browse the network'),
      description: explorerUrl,
      run: () => env.openExternal(Uri.parse(explorerUrl)),
    });
  }
  command(t('$(beaker) Test an endpoint by URL…'), 'svc-x402.testEndpointByUrl');
  command(t('$(output) Show the log'), 'svc-x402.showLog');
  command(t('$(gear) Open settings'), 'svc-x402.openSettings');
  const picked = await window.showQuickPick(actions, {
    title: 'Svc x402',
    placeHolder: statusWords(app),
  });
  await picked?.run();
}

function statusWords({ service, settings, trusted }: App): string {
  if (settings.network === 'testnet') return t('Network: testnet');
  if (!trusted)
    return t('Restricted Mode: the local service is not started in an untrusted workspace');
  return serviceFace(service).sentence;
}
