import { pagePolicy } from '../pagePolicy.ts';
import { PRICE_STEPS } from './pagePrice.ts';
import { PAGE_SCRIPT } from './pageScript.ts';

/** The page's style: system fonts, both color schemes, nothing from other origins. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --band: #f3f5f8;
  --link: #0b5cad; --good: #116329; --warn: #7a4a00; --bad: #a40e26;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1318; --ink: #e6e9ee; --soft: #a2abb6; --line: #323a44; --band: #181d24;
    --link: #7cb7ff; --good: #6fd08c; --warn: #e8b45c; --bad: #ff9492;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .25rem .5rem; }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 1.25rem 0 .25rem; }
h2 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); margin: 0; }
form { display: grid; gap: .5rem 1rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); align-items: end; margin: 1rem 0; }
form .wide { grid-column: 1 / -1; }
label { display: block; font-size: .9rem; color: var(--soft); }
input, select, button {
  font: inherit; color: inherit; background: var(--paper); width: 100%;
  border: 1px solid var(--soft); border-radius: .3rem; padding: .35rem .6rem;
}
button { cursor: pointer; background: var(--band); width: auto; }
ol { list-style: none; margin: 0; padding: 0; }
article { border-top: 1px solid var(--line); padding: 1rem 0; }
.head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; }
article .price { margin: 0; font-weight: 600; }
input[type=range] { padding: 0; border: 0; accent-color: var(--link); }
.facet { color: inherit; text-decoration: none; } .facet[aria-current] { font-weight: 700; text-decoration: underline; }
article p { margin: .25rem 0; overflow-wrap: anywhere; }
.why { color: var(--soft); font-size: .9rem; margin: .3rem 0; }
.url, code { font-family: ui-monospace, monospace; font-size: .9rem; overflow-wrap: anywhere; }
.badges { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0; margin: .4rem 0; }
.badges li { list-style: none; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .4rem 0; font-size: .92rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
pre { background: var(--band); padding: .75rem; overflow-x: auto; font-size: .85rem; }
details { margin: .4rem 0; } summary { cursor: pointer; }
footer { color: var(--soft); margin: 2rem auto; }
`;

/** The catalog's web page, in one file: it loads nothing from other origins. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="alternate" type="application/feed+json" title="Newly listed" href="/discovery/feed.json">
<title>Catalog of paid resources</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
<header>
<h1>Catalog of paid resources</h1>
<p class="soft">Each was listed because a payment for it settled. Names and descriptions are the sellers’ own words.</p>
<form id="find" role="search" method="get">
<p class="wide soft"><label for="query">Search</label>
<input id="query" name="query" type="search" maxlength="1000" autocomplete="off"></p>
<p class="soft"><label for="type">Kind</label>
<select id="type" name="type"><option value="">all</option><option value="http">HTTP</option><option value="mcp">MCP tools</option></select></p>
<p class="soft"><label for="payTo">Paid to</label><input id="payTo" name="payTo" maxlength="256" autocomplete="off" spellcheck="false"></p>
<p class="soft"><label for="order">Order, without a search</label>
<select id="order" name="order"><option value="trusted">verified owners first</option><option value="newest">newest first</option><option value="oldest">oldest first</option></select></p>
<p class="soft"><label for="price">Price: <output id="price-said" for="price">any price</output></label>
<input id="price" type="range" min="0" max="${PRICE_STEPS.length}" step="1" value="${PRICE_STEPS.length}">
<input name="maxAmount" type="hidden" disabled><input name="asset" type="hidden" disabled></p>
<p class="soft"><button>Find</button></p>
</form>
</header>
<main id="main" tabindex="-1">
<h2 class="soft">Results</h2>
<ul id="facets" class="badges" aria-label="Narrow the list"></ul>
<p id="status" class="soft" role="status" aria-live="polite"></p>
<noscript><p>This page needs JavaScript. The same is at <a href="/discovery/resources">/discovery/resources</a>.</p></noscript>
<ol id="entries"></ol>
<button type="button" id="more" hidden>Show more</button>
</main>
<footer>
<details><summary>What the badges mean</summary>
<dl>
<dt>Owner verified</dt><dd>This service fetched the URL, and its own payment terms name the recipient. It says nothing of what you get for the money.</dd>
<dt>Checked on this machine</dt><dd>The same, of a seller on this machine and for this machine only.</dd>
<dt>Owner not verified</dt><dd>The URL could not be fetched, is a route with parameters, or names somebody else.</dd>
<dt>Few payers</dt><dd>Fewer than three accounts have paid for it. Payments count accounts, not people.</dd>
</dl></details>
</footer>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;

/** The page's permissions: its own script and style, and reading this service. */
export const PAGE_POLICY = pagePolicy(PAGE_SCRIPT, PAGE_STYLE, "'self'");
