import { env, ProgressLocation, Uri, window } from 'vscode';
import type { PasskeyOutcome, PasskeyTask } from '../../protocol/policies/index.ts';
import { connectPasskeyPage } from '../policies/index.ts';
import { readRunning } from '../service/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

const KNOWN = 'passkeys';

/** The passkey that created an account or last signed for it here; ids of passkeys are public. */
export function knownPasskey({ context }: App, wallet: string): string | undefined {
  return context.globalState.get<Readonly<Record<string, string>>>(KNOWN, {})[wallet];
}

async function remember({ context }: App, { wallet, keyId }: PasskeyOutcome): Promise<void> {
  const known = context.globalState.get<Readonly<Record<string, string>>>(KNOWN, {});
  await context.globalState.update(KNOWN, { ...known, [wallet]: keyId });
}

/**
 * Asks the owner for the passkey, on a page of the local service in the browser. One request runs at
 * a time, over all windows.
 * @returns `undefined` if cancelled
 * @throws if the owner cannot be asked or the passkey fails
 */
export async function askPasskey(
  app: App,
  title: string,
  task: PasskeyTask,
): Promise<PasskeyOutcome | undefined> {
  const { url, secret } = await pageService(app);
  const page = connectPasskeyPage(url, secret, app.transport);
  const opened = await page.open(task);
  // Some editors forward ports and lose the path on the way, so it is appended to the address they return.
  const port = new URL(url).port;
  const outside = await env.asExternalUri(Uri.parse(`http://localhost:${port}/`));
  const path = `${outside.path.replace(/(?<!\/)\/+$/, '')}${opened.page}`;
  // Passkeys are bound to the host name localhost; the page redirects to it from the IP address.
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(outside.authority);
  const shown = isHere && (await env.openExternal(outside.with({ path })));
  if (!shown) void tellAddress(`http://localhost:${port}${opened.page}`, isHere);
  const status = await window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      progress.report({ message: t('Waiting for your passkey in the browser…') });
      return page.follow(opened, controller.signal);
    },
  );
  switch (status.state) {
    case 'done':
      if (status.outcome === null) return undefined;
      await remember(app, status.outcome);
      app.log.info(`${title}: ${status.outcome.transaction}`);
      return status.outcome;
    case 'failed':
      throw new Error(`${title}: ${status.problem?.message ?? t('it failed')}.`);
    case 'expired':
      throw new Error(t('{0}: no response in the browser within five minutes. Try again.', title));
    default:
      return undefined;
  }
}

/** This machine's service, which serves the page, and the secret from its file. */
async function pageService(app: App): Promise<{ url: string; secret: string }> {
  const started = await app.startService();
  const service = started ?? (await readRunning(app.dataFolder(), app.transport));
  const url = service?.facilitatorUrl;
  const secret = service?.passkeyToken;
  if (!url || !secret) {
    throw new Error(
      app.settings.network === 'local'
        ? t('The running service has no passkey page. Restart it.')
        : t(
            'The passkey page must be served from this machine. Run `svc-x402 facilitator` with the data folder set in svc-x402.dataFolder.',
          ),
    );
  }
  const { policyGatewayUrl } = app.addresses;
  if (policyGatewayUrl !== undefined && new URL(policyGatewayUrl).port !== new URL(url).port) {
    throw new Error(
      t(
        "{0} is not this machine's service. Only that service can ask for your passkey.",
        policyGatewayUrl,
      ),
    );
  }
  return { url, secret };
}

async function tellAddress(address: string, isHere: boolean): Promise<void> {
  const copy = t('Copy Address');
  const { port } = new URL(address);
  const words = isHere
    ? t("The browser did not open. Open the page's address yourself.")
    : t(
        'Passkeys need the host name localhost. Forward port {0} to this computer, then open the address in a browser here.',
        port,
      );
  if ((await window.showWarningMessage(words, copy)) === copy) {
    await env.clipboard.writeText(address);
  }
}
