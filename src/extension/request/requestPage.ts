import { type WebviewParts, webviewPage } from '../webviewPage.ts';
import { METHODS } from './requestForm.ts';

/** The page of a request. It holds no data: all of it comes by messages, and is set as text. */
export function requestPage(parts: WebviewParts): string {
  const methods = METHODS.map((method) => `<option>${method}</option>`).join('');
  return webviewPage(
    parts,
    'Test Payment',
    `<h1>Test payment</h1>
<p class="note">A throwaway key pays the price once, in test USDC.</p>
<form id="request" novalidate>
<div class="line">
<div class="field"><label for="method">Method</label><select id="method">${methods}</select></div>
<div class="field wide"><label for="url">URL</label><input id="url" type="url" spellcheck="false" autocomplete="off" aria-describedby="url-problem"><p class="problem" id="url-problem"></p></div>
</div>
<p class="problem" id="method-problem"></p>
<fieldset id="pathParams"><legend>Path parameters</legend><div class="rows"></div></fieldset>
<fieldset id="query"><legend>Query</legend><div class="rows"></div><button type="button" class="secondary add">Add Query Parameter</button></fieldset>
<fieldset id="headers"><legend>Headers</legend><div class="rows"></div><button type="button" class="secondary add">Add Header</button></fieldset>
<div class="field"><label for="body">Body</label><textarea id="body" rows="6" spellcheck="false" aria-describedby="body-problem"></textarea><p class="problem" id="body-problem"></p></div>
<div class="actions">
<button type="submit" id="send">Pay and Send</button>
<button type="button" id="start" class="secondary">Start and Test</button>
<button type="button" id="cancel" class="secondary" hidden>Cancel</button>
<button type="button" id="curl" class="secondary">Copy as curl</button>
<button type="button" id="sdk" class="secondary">Copy as SDK Code</button>
</div>
</form>
<p id="headline" role="status" aria-live="polite"></p>
<section id="outcome" aria-label="Result" hidden>
<p id="detail" class="quoted"></p>
<div id="offers" class="actions"></div>
<section id="terms" aria-labelledby="terms-title"><h2 id="terms-title">What the endpoint asks for (402)</h2><dl></dl><ul class="checks"></ul></section>
<section id="steps" aria-labelledby="steps-title"><h2 id="steps-title">Steps</h2><ol></ol></section>
<section id="receipt" aria-labelledby="receipt-title"><h2 id="receipt-title">Receipt</h2><dl></dl></section>
<section id="answer" aria-labelledby="answer-title"><h2 id="answer-title">Answer</h2><p id="status"></p><pre tabindex="0" aria-label="Body of the answer"></pre></section>
</section>`,
  );
}
