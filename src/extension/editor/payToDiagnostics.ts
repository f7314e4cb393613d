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
import { payToInCode } from '../routes/gateText.ts';
import { ROUTE_LANGUAGES } from '../routes/mayHoldRoutes.ts';
import type { App } from './app.ts';

const CODE = 'payTo-differs';

/** Tells where generated code pays another address than the setting says, and mends it. */
export function createPayToDiagnostics(app: App): Disposable {
  const diagnostics = languages.createDiagnosticCollection('svc-x402');

  function judge(document: TextDocument): void {
    if (!ROUTE_LANGUAGES.some((language) => language === document.languageId)) return;
    const { payTo } = app.settingsFor(document.uri);
    const found = payTo === undefined ? [] : payToInCode(document.getText());
    diagnostics.set(
      document.uri,
      found
        .filter(({ address }) => address !== payTo)
        .map(({ address, start }) => {
          const range = new Range(
            document.positionAt(start),
            document.positionAt(start + address.length),
          );
          const diagnostic = new Diagnostic(
            range,
            `This endpoint pays another address than svc-x402.payToAddress (${payTo}). The address in the code counts.`,
            DiagnosticSeverity.Information,
          );
          diagnostic.source = 'svc-x402';
          diagnostic.code = CODE;
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
    languages.registerCodeActionsProvider(
      ROUTE_LANGUAGES.map((language) => ({ language })),
      {
        provideCodeActions(document, _range, { diagnostics: here }) {
          const { payTo } = app.settingsFor(document.uri);
          if (payTo === undefined) return [];
          return here
            .filter(({ code }) => code === CODE)
            .map((diagnostic) => {
              const action = new CodeAction('Pay the configured address', CodeActionKind.QuickFix);
              action.diagnostics = [diagnostic];
              action.isPreferred = true;
              action.edit = new WorkspaceEdit();
              action.edit.replace(document.uri, diagnostic.range, payTo);
              return action;
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
