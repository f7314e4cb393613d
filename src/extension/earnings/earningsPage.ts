export interface EarningsPageParts {
  /** New for each page: scripts run by it alone. */
  readonly nonce: string;
  /** What the editor lets a webview load from. */
  readonly source: string;
  readonly script: string;
  readonly style: string;
}

/** The page of the earnings. It holds no data: amounts come by messages, and are set as text. */
export function earningsPage({ nonce, source, script, style }: EarningsPageParts): string {
  const policy = `default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Earnings</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main>
<p id="message" role="status">Reading…</p>
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
</div>
</main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
