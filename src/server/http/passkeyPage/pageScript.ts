/**
 * The page's script: it describes the request, has the browser ask for the passkey when the button is pressed, and sends the
 * answer back. All text arrives through `textContent`.
 */
export const PAGE_SCRIPT = String.raw`
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
