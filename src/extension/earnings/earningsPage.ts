import { type WebviewParts, webviewPage } from '../webviewPage.ts';
/** The page of the earnings. It holds no data: amounts come by messages, and are set as text. */
export function earningsPage(parts: WebviewParts): string {
  return webviewPage(
    parts,
    'Earnings',
    `<p id="message" role="status">Reading…</p>
<div id="summary" hidden>
<dl>
<div><dt>Total</dt><dd id="total"></dd></div>
<div><dt>Today</dt><dd id="today"></dd></div>
<div><dt>This week</dt><dd id="week"></dd></div>
<div><dt>Unique payers</dt><dd id="payers"></dd></div>
</dl>
<p id="since" class="note"></p>
<h2 id="days-title">By day</h2>
<ul id="days" class="bars" aria-labelledby="days-title"></ul>
<h2 id="endpoints-title">By endpoint</h2>
<p class="note">Only test payments made on this machine can be told apart by endpoint.</p>
<ul id="endpoints" class="bars" aria-labelledby="endpoints-title"></ul>
</div>`,
  );
}
