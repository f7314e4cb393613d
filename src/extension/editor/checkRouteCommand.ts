import { type ChildProcess, spawn } from 'node:child_process';
import {
  type CancellationToken,
  type OutputChannel,
  ProgressLocation,
  type TextDocument,
  window,
} from 'vscode';
import type { Route } from '../../codegen/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import { readDocument } from './projectFiles.ts';
import { probableUrl } from './requestPanel/index.ts';
import { pickRoute, routeDocument } from './routeAtHand.ts';

/** What the command returns to a program that ran it. */
interface Checked {
  readonly passed: boolean;
  /** What `svc-x402 check` printed. */
  readonly output: string;
}

/** The result of `svc-x402 check`. */
interface CheckRun extends Checked {
  readonly cancelled: boolean;
  /** The reason that it printed for a failure. */
  readonly errors: string;
}

const KEPT = 100_000;

/**
 * "Svc: Check This Endpoint": runs `svc-x402 check` for the endpoint at the cursor. It starts the project's app, so the
 * workspace must be trusted, and shows the response to each request.
 */
export function checkRouteCommand(
  app: App,
  channel: OutputChannel,
): (offset?: number) => Promise<Checked | undefined> {
  return async (offset) => {
    const document = routeDocument(app);
    if (document === undefined) return undefined;
    if (document.uri.scheme !== 'file' && document.uri.scheme !== 'vscode-remote') {
      void window.showInformationMessage(
        t('This is a virtual workspace. Check the endpoint where its code can run.'),
      );
      return undefined;
    }
    const { routes } = await readDocument(document);
    const paid = routes.filter(({ gated }) => gated !== undefined);
    if (paid.length === 0) {
      void window.showInformationMessage(
        t('No paid endpoint was found in this file. Add one first.'),
      );
      return undefined;
    }
    const route = await pickRoute(document, paid, offset, t('Check'));
    // The app reads the file from disk.
    if (route === undefined || (document.isDirty && !(await document.save()))) return undefined;
    return check(app, channel, document, route);
  };
}

async function check(
  app: App,
  channel: OutputChannel,
  document: TextDocument,
  route: Route,
  origin?: string,
): Promise<Checked> {
  const name = `${route.method} ${route.mounted ?? route.path}`;
  const { line, character } = document.positionAt(route.range.start);
  const place = `${document.uri.fsPath}:${line + 1}:${character + 1}`;
  const args = ['check', place, ...(origin === undefined ? [] : ['--url', origin])];
  channel.clear();
  channel.show(true);
  const result = await window.withProgress(
    { location: ProgressLocation.Notification, title: t('Checking {0}', name), cancellable: true },
    (_progress, token) => runCheck(app, channel, args, token),
  );
  const { passed, output } = result;
  if (!result.cancelled) {
    void report(channel, name, result, async () => {
      const url = await probableUrl(document.uri, document.getText(), '/');
      const answer = await askOrigin(new URL(url).origin);
      if (answer !== undefined) await check(app, channel, document, route, answer);
    });
  }
  return { passed, output };
}

/** @param again checks the endpoint in a running app */
async function report(
  channel: OutputChannel,
  name: string,
  { passed, errors }: CheckRun,
  again: () => Promise<void>,
): Promise<void> {
  const show = t('Show Requests');
  const running = t('Check a Running App…');
  // The command mentions --url if it could not start the app.
  const offered = /--url\b/.test(errors) ? [running, show] : [show];
  const [reason = t('The check failed.')] = errors.trim().split('\n');
  const choice = passed
    ? await window.showInformationMessage(
        t('{0} passed the check: no request got past the payment.', name),
        show,
      )
    : await window.showWarningMessage(`${name}: ${reason}`, ...offered);
  if (choice === show) channel.show(true);
  if (choice === running) await again();
}

/** Runs the bundled command line and shows its output. */
async function runCheck(
  app: App,
  channel: OutputChannel,
  args: readonly string[],
  token: CancellationToken,
): Promise<CheckRun> {
  const choice = await app.runtime();
  if (!choice.ok) throw new Error(choice.message);
  const { command, environment } = choice.runtime;
  return new Promise((resolve, reject) => {
    const child = spawn(command, [app.bundle('cli'), ...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    let errors = '';
    const print = (text: string) => {
      channel.append(text);
      output = (output + text).slice(-KEPT);
    };
    child.stdout.setEncoding('utf8').on('data', print);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      print(text);
      errors = (errors + text).slice(-KEPT);
    });
    token.onCancellationRequested(() => stop(child));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ passed: code === 0, cancelled: token.isCancellationRequested, output, errors }),
    );
  });
}

/** Ends a check and the app that it started. */
function stop(child: ChildProcess): void {
  if (process.platform !== 'win32') child.kill('SIGTERM');
  else spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { windowsHide: true });
}

function askOrigin(proposed: string): Thenable<string | undefined> {
  return window.showInputBox({
    title: t('Check a running app'),
    prompt: t('Origin of the app on this machine'),
    value: proposed,
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^http:\/\/[^/\s]+\/?$/.test(value)
        ? undefined
        : t('Enter an origin, such as http://localhost:3000.'),
  });
}
