import {
  CodeAction,
  CodeActionKind,
  Diagnostic,
  DiagnosticSeverity,
  type Disposable,
  languages,
  Range,
  type TextDocument,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { facilitatorsInCode, GATE_MARK, payToInCode, ROUTE_LANGUAGES } from '../routes/index.ts';
import { serviceFace } from '../service/index.ts';
import { later, t } from '../words/index.ts';
import type { App } from './app.ts';
import type { PackageWatcher } from './packageWatcher.ts';

/** A place in generated code that differs from the settings. */
interface Difference {
  readonly code:
    | 'payTo-differs'
    | 'facilitator-differs'
    | 'service-stopped'
    | 'service-unresponsive'
    | 'packages-missing';
  readonly start: number;
  readonly found: string;
  /** The replacement; `undefined` if a command fixes it. */
  readonly expected: string | undefined;
  readonly message: string;
}

const FIXES: Readonly<Record<Difference['code'], string>> = {
  'payTo-differs': later('Pay the configured address'),
  'facilitator-differs': later('Use the running facilitator'),
  'service-stopped': later('Start the local service'),
  'service-unresponsive': later('Restart the local service'),
  'packages-missing': later('Install Packages…'),
};

/** What fixes a problem that no edit fixes. */
const COMMANDS: Readonly<Record<Difference['code'], string>> = {
  'payTo-differs': 'svc-x402.setPayTo',
  'facilitator-differs': 'svc-x402.openSettings',
  'service-stopped': 'svc-x402.startService',
  'service-unresponsive': 'svc-x402.restartService',
  'packages-missing': 'svc-x402.installPackages',
};

const withoutSlash = (url: string): string =>
  url.replace(/(?<!\/)\/+$/, '').replace('localhost', '127.0.0.1');

function payToDifferences(text: string, payTo: string | undefined): Difference[] {
  if (payTo === undefined) return [];
  return payToInCode(text)
    .filter(({ address }) => address !== payTo)
    .map(({ address, start }) => ({
      code: 'payTo-differs',
      start,
      found: address,
      expected: payTo,
      message: t(
        'This endpoint pays an address other than svc-x402.payToAddress ({0}). The address in the code is the one that is paid.',
        payTo,
      ),
    }));
}

function facilitatorDifferences(text: string, running: string | undefined): Difference[] {
  if (running === undefined) return [];
  return facilitatorsInCode(text)
    .filter(({ url }) => withoutSlash(url) !== withoutSlash(running))
    .map(({ url, start }) => ({
      code: 'facilitator-differs',
      start,
      found: url,
      expected: running,
      message: t(
        'The facilitator is at {0}, but this code calls {1} unless FACILITATOR_URL is set.',
        running,
        url,
      ),
    }));
}

/** A gate fails every request while its facilitator isn't running. */
function stoppedService(text: string, { settings, service }: App): Difference[] {
  const needed = settings.network === 'local' && settings.facilitatorUrl === undefined;
  const { action, sentence } = serviceFace(service);
  if (!needed || action === undefined) return [];
  const start = text.indexOf(GATE_MARK);
  if (start < 0) return [];
  return [
    {
      code: action === 'restart' ? 'service-unresponsive' : 'service-stopped',
      start,
      found: GATE_MARK,
      expected: undefined,
      message: t("{0} Without it, this endpoint can't charge its buyers.", sentence),
    },
  ];
}

/** Without its packages, a server with a gate does not start. */
function absentPackages(text: string, missing: readonly string[]): Difference[] {
  const start = text.indexOf(GATE_MARK);
  if (start < 0 || missing.length === 0) return [];
  return [
    {
      code: 'packages-missing',
      start,
      found: GATE_MARK,
      expected: undefined,
      message: t('Not installed: {0}. Your server needs them to start.', missing.join(', ')),
    },
  ];
}

/** Reports generated code whose payment address or facilitator differs from the settings, and offers fixes. */
export function createCodeDiagnostics(app: App, packages: PackageWatcher): Disposable {
  const diagnostics = languages.createDiagnosticCollection('svc-x402');

  function differences(document: TextDocument): Difference[] {
    const text = document.getText();
    return [
      ...payToDifferences(text, app.settingsFor(document.uri).payTo),
      ...facilitatorDifferences(text, app.addresses.facilitatorUrl),
      ...stoppedService(text, app),
      ...absentPackages(text, packages.of(document)),
    ];
  }

  function rangeOf(document: TextDocument, { start, found }: Difference): Range {
    return new Range(document.positionAt(start), document.positionAt(start + found.length));
  }

  function judge(document: TextDocument): void {
    if (!ROUTE_LANGUAGES.some((language) => language === document.languageId)) return;
    diagnostics.set(
      document.uri,
      differences(document).map((difference) => {
        const diagnostic = new Diagnostic(
          rangeOf(document, difference),
          difference.message,
          difference.expected === undefined
            ? DiagnosticSeverity.Warning
            : DiagnosticSeverity.Information,
        );
        diagnostic.source = 'svc-x402';
        diagnostic.code = difference.code;
        return diagnostic;
      }),
    );
  }

  const judgeAll = () => workspace.textDocuments.forEach(judge);
  const parts = [
    diagnostics,
    workspace.onDidOpenTextDocument(judge),
    workspace.onDidChangeTextDocument(({ document }) => judge(document)),
    workspace.onDidCloseTextDocument(({ uri }) => diagnostics.delete(uri)),
    app.onChange(judgeAll),
    packages.onChange(judgeAll),
    languages.registerCodeActionsProvider(
      ROUTE_LANGUAGES.map((language) => ({ language })),
      {
        provideCodeActions(document, _range, { diagnostics: here }) {
          return differences(document).flatMap((difference) => {
            const range = rangeOf(document, difference);
            const shown = here.find(
              (one) => one.code === difference.code && one.range.isEqual(range),
            );
            if (shown === undefined) return [];
            const action = new CodeAction(t(FIXES[difference.code]), CodeActionKind.QuickFix);
            action.diagnostics = [shown];
            action.isPreferred = true;
            if (difference.expected === undefined) {
              action.command = {
                command: COMMANDS[difference.code],
                title: t(FIXES[difference.code]),
              };
            } else {
              action.edit = new WorkspaceEdit();
              action.edit.replace(document.uri, range, difference.expected);
            }
            return [action];
          });
        },
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    ),
  ];
  judgeAll();
  return {
    dispose() {
      for (const part of parts) part.dispose();
    },
  };
}
