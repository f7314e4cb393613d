import { pagePolicy } from '../pagePolicy.ts';

/**
 * The page's script: it describes the request, has the browser ask for the passkey when the button is pressed, and sends the
 * answer back. All text arrives through `textContent`.
 */
const PAGE_SCRIPT = String.raw`
'use strict';
const at = (id) => document.getElementById(id);
const say = (text, kind) => { at('status').textContent = text; at('status').className = kind || ''; };
const here = location.pathname.replace(/\/+$/, '');
const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const element = (tag, words) => Object.assign(document.createElement(tag), { textContent: words });

async function ask(path, body) {
  const response = await fetch(here + path, body === undefined ? {} : {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail + ' ' + answer.fix);
  return answer;
}

function show(request) {
  document.title = request.title;
  at('title').textContent = request.title;
  for (const { name, value } of request.facts) at('facts').append(element('dt', name), element('dd', value));
  for (const { title, items } of request.groups) {
    const list = document.createElement('ul');
    list.append(...items.map((item) => element('li', item)));
    at('groups').append(element('h2', title), list);
  }
  at('use').textContent = request.action === 'create' ? 'Make a passkey' : 'Sign with your passkey';
}

async function make({ challenge, user }) {
  const made = await navigator.credentials.create({ publicKey: {
    challenge: bytes(challenge),
    rp: { id: 'localhost', name: 'Svc x402' },
    user: { id: crypto.getRandomValues(new Uint8Array(16)), name: user, displayName: user },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  } });
  return { kind: 'made', keyId: text(made.rawId), publicKey: text(made.response.getPublicKey()) };
}

async function sign({ challenge, keyId }) {
  const { rawId, response } = await navigator.credentials.get({ publicKey: {
    challenge: bytes(challenge),
    rpId: 'localhost',
    allowCredentials: keyId === null ? [] : [{ type: 'public-key', id: bytes(keyId) }],
    userVerification: 'preferred',
  } });
  return {
    kind: 'signed',
    keyId: text(rawId),
    authenticatorData: text(response.authenticatorData),
    clientDataJSON: text(response.clientDataJSON),
    signature: text(response.signature),
  };
}

function end(words, kind) {
  at('actions').hidden = true;
  say(words, kind);
}

async function use(request) {
  at('use').disabled = true;
  say('The browser asks for your passkey …');
  let answer;
  try {
    answer = await (request.action === 'create' ? make(request) : sign(request));
  } catch (error) {
    at('use').disabled = false;
    say('Nothing was signed: ' + (error.name === 'NotAllowedError'
      ? 'the passkey was not given. Try again, or cancel.' : error.message), 'bad');
    return;
  }
  at('actions').hidden = true;
  say('Waiting for the ledger …');
  try {
    const { state, outcome, problem } = await ask('/answer', answer);
    if (state === 'done') end('Done' + (outcome.transaction ? ', in transaction ' + outcome.transaction : '') + '. Go back to the editor; this page can be closed.', 'good');
    else end('It did not work: ' + problem.message + '. Go back to the editor.', 'bad');
  } catch (error) {
    end('It did not work: ' + error.message, 'bad');
  }
}

async function start() {
  // Passkeys belong to a name; some ways to open the page lead to the number behind it.
  if (/^(127\.0\.0\.1|\[::1\])$/.test(location.hostname)) {
    const there = new URL(location.href);
    there.hostname = 'localhost';
    location.replace(there);
    return;
  }
  if (!window.PublicKeyCredential) return end('This browser has no passkeys here. Open the address in another browser, on localhost.', 'bad');
  const request = await ask('/request');
  show(request);
  at('content').hidden = false;
  say('Nothing is signed before you say so.');
  at('use').addEventListener('click', () => use(request));
  at('cancel').addEventListener('click', async () => {
    await ask('/decline', {}).catch(() => undefined);
    end('Cancelled. Nothing was signed; this page can be closed.');
  });
  at('use').focus();
}
start().catch((error) => end(error.message, 'bad'));
`;

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
