import { configJsonSchema } from '../../../src/proxy/index.ts';
import { architecturePage } from './architecturePage.ts';
import { commandLinePage } from './commandLinePage.ts';
import { contractsPage } from './contractsPage.ts';
import { dashboard } from './dashboard.ts';
import { decisionsPage } from './decisionsPage.ts';
import { errorPages } from './errorPages.ts';
import { httpPage } from './httpPage.ts';
import { libraryPages } from './libraryPages.ts';
import { logsPage } from './logLines.ts';
import { moneyPage } from './moneyPage.ts';
import { settingsPage } from './settingsPage.ts';

/** The pages that are made from the sources, by their path from the root. */
export function generatedPages(): ReadonlyMap<string, string> {
  return new Map([
    ['deploy/grafana-dashboard.json', dashboard()],
    ['media/x402.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`],
    ['docs/logs.md', logsPage()],
    ['docs/settings.md', settingsPage()],
    ['docs/command-line.md', commandLinePage()],
    ['docs/http.md', httpPage()],
    ['docs/contracts.md', contractsPage()],
    ['docs/architecture.md', architecturePage()],
    ['docs/decisions/README.md', decisionsPage()],
    ['docs/evidence/money.md', moneyPage()],
    ...libraryPages(),
    ...errorPages(),
  ]);
}
