import { ProgressLocation, window, workspace } from 'vscode';
import { facilitatorsInCode, ROUTE_LANGUAGES } from '../routes/index.ts';
import { checkSetup, describeSetup } from '../setup/checkSetup.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import type { ReportPages } from './reportPages.ts';

/** "Svc: Check Setup": checks everything that a payment needs, and suggests the next step for anything missing. */
export async function checkSetupCommand(app: App, pages: ReportPages): Promise<void> {
  const report = await window.withProgress(
    { location: ProgressLocation.Window, title: t('Checking the setup') },
    async () => {
      if (app.trusted) await app.startService().catch(() => undefined);
      const inCode = workspace.textDocuments
        .filter(({ languageId }) => ROUTE_LANGUAGES.some((language) => language === languageId))
        .flatMap((document) =>
          facilitatorsInCode(document.getText()).map(({ url }) => ({
            file: workspace.asRelativePath(document.uri),
            url,
          })),
        );
      const { network, payTo } = app.settings;
      return checkSetup({ network, payTo, addresses: app.addresses, inCode }, app.transport);
    },
  );
  await pages.openReport(describeSetup(report));
}
