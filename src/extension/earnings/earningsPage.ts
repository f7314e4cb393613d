import { html, type WebviewParts, webviewPage } from '../webviewPage.ts';
import { t } from '../words/index.ts';
import { EARNING_PERIODS } from './summarise.ts';

/**
 * The earnings page, for the sidebar and for a tab. It holds no data: amounts arrive in messages and are set as text.
 * @param heading whether the title of the page is seen, because no view around it shows it
 */
export function earningsPage(parts: WebviewParts, heading: boolean): string {
  const names = {
    all: t('All'),
    today: t('Today'),
    week: t('This week'),
    month: t('Last 30 days'),
  };
  const periods = EARNING_PERIODS.map(
    (period) => `<option value="${period}">${html(names[period])}</option>`,
  ).join('');
  const title = t('Earnings');
  const fact = (id: string, label: string) =>
    `<div><dt>${html(label)}</dt><dd id="${id}"></dd></div>`;
  return webviewPage(
    parts,
    title,
    `<h1${heading ? '' : ' class="unseen"'}>${html(title)}</h1>
<div class="tools">
<label for="period">${html(t('Period'))}</label><select id="period">${periods}</select>
<button type="button" id="export">${html(t('Export as CSV'))}</button>
</div>
<p id="message" role="status">${html(t('Reading…'))}</p>
<button type="button" id="next" hidden></button>
<div id="summary" hidden>
<dl>
${fact('total', t('Total'))}
${fact('today', t('Today'))}
${fact('week', t('This week'))}
${fact('payers', t('Unique payers'))}
</dl>
<p id="note" class="note" role="status"></p>
<h2 id="routes-title">${html(t('By route'))}</h2>
<p class="note">${html(t('Only test payments made on this machine can be assigned to a route.'))}</p>
<ul id="routes" class="bars" aria-labelledby="routes-title"></ul>
<h2 id="days-title">${html(t('By day'))}</h2>
<ul id="days" class="bars" aria-labelledby="days-title"></ul>
</div>`,
    {},
  );
}
