import { pagePolicy } from '../pagePolicy.ts';
import { PAGE_SCRIPT } from './pageScript.ts';

const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --act: #0b5cad; --good: #116329; --bad: #a40e26;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #0f1318; --ink: #e6e9ee; --soft: #a2abb6; --line: #323a44; --act: #7cb7ff; --good: #6fd08c; --bad: #ff9492; }
}
body { margin: 2rem auto; max-width: 44rem; padding: 0 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1rem; margin: 1rem 0 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; border: 1px solid var(--line); border-radius: .4rem; padding: .75rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .9rem; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
li { overflow-wrap: anywhere; }
button { font: inherit; padding: .5rem 1rem; border-radius: .4rem; border: 1px solid var(--act); background: var(--paper); color: var(--act); cursor: pointer; }
#use { background: var(--act); color: var(--paper); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
#status { font-weight: 600; overflow-wrap: anywhere; } .good { color: var(--good); } .bad { color: var(--bad); }
`;

/** The page that asks for a passkey, in one file: it loads nothing from other origins. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Svc x402</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1 id="title">Svc x402</h1>
<div id="content" hidden>
<dl id="facts"></dl>
<div id="groups"></div>
<p id="actions"><button type="button" id="use"></button> <button type="button" id="cancel">Cancel</button></p>
</div>
<p id="status" role="status" aria-live="polite">Loading …</p>
<noscript><p>This page needs JavaScript to ask for your passkey.</p></noscript>
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;

/** The page's headers: it runs its own script and style, sends requests only to this service, and is never framed. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(PAGE_SCRIPT, PAGE_STYLE, "'none'"),
  'permissions-policy': 'publickey-credentials-create=(self), publickey-credentials-get=(self)',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;
