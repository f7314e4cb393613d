import { createHash } from 'node:crypto';
import { PAGE_SCRIPT } from './pageScript.ts';
import { PAGE_STYLE } from './pageStyle.ts';

/** The element from which the page reads the address of the facilitator. */
const NO_FACILITATOR = '<meta name="facilitator" content="">';

/** The page about the network, in one file. It does not load anything else and works offline. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
${NO_FACILITATOR}
<title>Local Stellar network</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<p class="name"><a id="home" href="./">Local Stellar network</a></p>
<p class="live" id="live" role="status" aria-live="polite"></p>
<button type="button" id="pause" aria-pressed="false">Pause updates</button>
<form id="find" role="search">
<label for="what">Find</label>
<input id="what" name="what" autocomplete="off" spellcheck="false" placeholder="hash, ledger, address, asset or name" aria-describedby="found">
<button>Go</button>
<span id="found" role="alert"></span>
</form>
</header>
<main id="main" tabindex="-1"><p>Loading…</p><noscript><p>This page needs JavaScript.</p></noscript></main>
<footer><p>Passphrase: <span id="passphrase"></span></p></footer>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;

/** The page of a network with a facilitator. Any address that is not http or https is left out. */
export function pageWith(facilitatorUrl: string | undefined): string {
  if (facilitatorUrl === undefined || !URL.canParse(facilitatorUrl)) return PAGE;
  const { protocol, origin } = new URL(facilitatorUrl);
  if (protocol !== 'http:' && protocol !== 'https:') return PAGE;
  return PAGE.replace(NO_FACILITATOR, `<meta name="facilitator" content="${origin}">`);
}

/** The content security policy: the page can only use its own script and style, and read this network. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `script-src '${digest(PAGE_SCRIPT)}'`,
  `style-src '${digest(PAGE_STYLE)}'`,
  "connect-src 'self'",
  // For the flame graph, which cannot run anything as an image.
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
