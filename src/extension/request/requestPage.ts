import { html, type WebviewParts, webviewPage } from '../webviewPage.ts';
import { t } from '../words/index.ts';
import { USUAL_TIME_LIMIT } from './builtRequest.ts';
import { METHODS } from './requestForm.ts';

/** The page of a request. It holds no data: everything arrives in messages and is set as text. */
export function requestPage(parts: WebviewParts): string {
  const methods = METHODS.map((method) => `<option>${method}</option>`).join('');
  const button = (id: string, label: string, rest = '') =>
    `<button type="button" class="secondary" id="${id}" ${rest}>${html(label)}</button>`;
  const pairs = (id: string, title: string, add: string | undefined) =>
    `<fieldset id="${id}"><legend>${html(title)}</legend><div class="rows"></div>${
      add === undefined ? '' : `<button type="button" class="secondary add">${html(add)}</button>`
    }</fieldset>`;
  const section = (id: string, title: string, content: string) =>
    `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${html(title)}</h2>${content}</section>`;
  return webviewPage(
    { ...parts, media: true },
    t('Test Payment'),
    `<h1>${html(t('Test payment'))}</h1>
<p class="note">${html(t('Sends a request. If it has a price, a throwaway key pays it once, in test USDC.'))}</p>
<form id="request" novalidate>
<div class="line">
<div class="field"><label for="method">${html(t('Method'))}</label><select id="method">${methods}</select></div>
<div class="field wide"><label for="url">URL</label><input id="url" type="url" spellcheck="false" autocomplete="off" aria-describedby="url-problem"><p class="problem" id="url-problem"></p></div>
</div>
<p class="problem" id="method-problem"></p>
${pairs('pathParams', t('Path parameters'), undefined)}
${pairs('query', t('Query'), t('Add Query Parameter'))}
${pairs('headers', t('Headers'), t('Add Header'))}
<div class="field"><label for="body">${html(t('Body'))}</label><textarea id="body" rows="6" spellcheck="false" aria-describedby="body-left-out body-problem"></textarea><p class="note" id="body-left-out" role="status"></p><p class="problem" id="body-problem"></p></div>
<div class="field short"><label for="timeLimit">${html(t('Time limit in seconds'))}</label><input id="timeLimit" inputmode="numeric" autocomplete="off" placeholder="${USUAL_TIME_LIMIT}" aria-describedby="timeLimit-problem"><p class="problem" id="timeLimit-problem"></p></div>
<div class="actions">
<button type="submit" id="send">${html(t('Pay and Send'))}</button>
${button('start', t('Start and Test'), 'aria-describedby="start-hint"')}
${button('cancel', t('Cancel'), 'hidden')}
</div>
<div class="actions">
${button('history', t('History…'))}
${button('saveRequest', t('Save Request…'))}
${button('curl', t('Copy as curl'))}
${button('sdk', t('Copy as SDK Code'))}
${button('clearCookies', t('Delete Cookies'))}
</div>
<p class="note" id="start-hint">${html(t('Start and Test starts your server in a terminal first. F5 starts it in a debugger.'))}</p>
</form>
<p id="outdated" class="note" hidden>${html(t('You changed the request. The result below is of the one before.'))}</p>
<p id="headline" role="status" aria-live="polite"></p>
<section id="outcome" aria-label="${html(t('Result'))}" hidden>
<p id="detail" class="quoted"></p>
<div id="offers" class="actions"></div>
${section('terms', t('Payment terms (402)'), '<dl></dl><ul class="checks"></ul>')}
${section('steps', t('Steps'), '<ol></ol>')}
${section('receipt', t('Receipt'), '<dl></dl>')}
${section(
  'answer',
  t('Response'),
  `<p id="status"></p><ul id="answer-notes"></ul><div class="actions">${button('openBody', t('Open in Editor'))}${button('saveBody', t('Save As…'))}</div><div id="body-view" role="region" aria-label="${html(t('Response body'))}"></div><details id="answer-headers"><summary>${html(t('Headers'))}</summary><dl></dl></details>`,
)}
</section>`,
    {
      send: t('Pay and Send'),
      again: t('Run Again'),
      remove: t('Remove'),
      queryName: t('Name of query parameter {0}'),
      queryValue: t('Value of query parameter {0}'),
      queryRemove: t('Remove query parameter {0}'),
      headersName: t('Name of header {0}'),
      headersValue: t('Value of header {0}'),
      headersRemove: t('Remove header {0}'),
      price: t('Price'),
      recipient: t('Recipient'),
      network: t('Network'),
      protocol: t('Protocol'),
      description: t('Description'),
      passed: t('Passed: {0}'),
      failed: t('Failed: {0} ({1})'),
      status: t('Status {0}'),
      summary: t('{0} · {1} · {2} · {3}'),
      untyped: t('no media type'),
      bodyLeftOut: t('{0} sends no body. It stays here for other methods.'),
      preview: t('Preview, without scripts, styles and images'),
      previewFrame: t('Preview of the page'),
      image: t('Image in the response'),
      sound: t('Sound in the response'),
      empty: t('The response has no body.'),
      content: t('Content of the response'),
      jsonObject: t('Object'),
      jsonList: t('List'),
      jsonMember: t('{0}: {1}'),
      receiving: t('Receiving…'),
      skipped: t('Not run'),
      waiting: t('Waiting'),
      running: t('Running'),
      done: t('Done'),
      stepFailed: t('Failed'),
    },
  );
}
