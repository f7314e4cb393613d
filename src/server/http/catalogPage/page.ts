import { pagePolicy } from '../pagePolicy.ts';
import { PRICE_STEPS } from './pagePrice.ts';
import { PAGE_SCRIPT } from './pageScript.ts';
import { PAGE_STYLE } from './pageStyle.ts';

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
