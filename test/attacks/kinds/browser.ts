import type { Attack, AttackTable } from '../attack.ts';
import type { World } from '../world.ts';

const NOTHING = 'nothing read, nothing done';

/** In a page: what it learns of a request. A page that reads nothing gets a TypeError or an opaque answer. */
const LEARN = `const learn = async (request) => {
  try {
    const response = await request();
    if (response.type === 'opaque') return '${NOTHING}';
    return 'read ' + response.status + ' ' + (await response.text()).slice(0, 100);
  } catch { return '${NOTHING}'; }
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));`;

interface Places {
  /** The facilitator's URL, as a text in the script. */
  readonly service: string;
  readonly network: string;
  /** A payment that would settle, as JSON in a text of the script. */
  readonly payment: string;
}

/** A script in a page of another origin; what it must not do is seen in settlements, catalog and ledger. */
function page(
  name: string,
  script: (places: Places) => string,
  { refused = NOTHING, from = 'local' as 'local' | 'public' } = {},
): Attack<World> {
  return {
    name: `${from === 'public' ? 'a page of the public internet' : 'a page of another origin'}: ${name}`,
    refused,
    async run(world) {
      const payment = JSON.stringify(await world.payment(world.stranger, world.victim));
      const places = {
        service: world.parts.facilitator,
        network: world.parts.ledger,
        payment: JSON.stringify(payment),
      };
      const browser = await world.browser();
      return browser.script(`${LEARN} ${script(places)}`, from);
    },
  };
}

/** A page under a name of the attacker's that leads to a port of ours. */
function rebound(
  name: string,
  port: 'facilitator' | 'ledger',
  path: string,
  refused: string,
): Attack<World> {
  return {
    name: `a rebound name: ${name}`,
    refused,
    async run(world) {
      const base = `http://rebound.evil.test:${new URL(world.parts[port]).port}`;
      const script = `const response = await fetch(${JSON.stringify(path)}); return String(response.status);`;
      return (await world.browser()).at(`${base}/`, script);
    },
  };
}

function framed(path: string): Attack<World> {
  return {
    name: `a page of another origin frames ${path}`,
    refused: 'chrome-error://chromewebdata/',
    run: async (world) => (await world.browser()).frame(`${world.parts.facilitator}${path}`),
  };
}

const ADVANCE = `'{"jsonrpc":"2.0","id":1,"method":"svc_advanceLedgers","params":{"count":5}}'`;

const fetches = (url: string, init: string): string =>
  `return learn(() => fetch(${url}, ${init}));`;

/** The requests that are tried from both pages: that of a site on this machine, and that of a public one. */
function requests(from: 'local' | 'public'): Attack<World>[] {
  return [
    page(
      'a no-cors text/plain POST of a payment that would settle',
      ({ service, payment }) =>
        fetches(`'${service}/settle'`, `{ method: 'POST', mode: 'no-cors', body: ${payment} }`),
      { from },
    ),
    page(
      'the same as JSON, which asks first',
      ({ service, payment }) =>
        fetches(
          `'${service}/settle'`,
          `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: ${payment} }`,
        ),
      { from },
    ),
    page(
      'svc_advanceLedgers as no-cors text/plain',
      ({ network }) =>
        fetches(`'${network}/control'`, `{ method: 'POST', mode: 'no-cors', body: ${ADVANCE} }`),
      { from },
    ),
    page(
      'svc_advanceLedgers as JSON, which asks first',
      ({ network }) =>
        fetches(
          `'${network}/control'`,
          `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: ${ADVANCE} }`,
        ),
      { from },
    ),
  ];
}

/** Pages of other origins in a real Chromium. */
export const BROWSER: AttackTable<World> = {
  kind: 'browser',
  attacks: [
    ...requests('local'),
    ...requests('public'),
    page('a readable text/plain POST', ({ service, payment }) =>
      fetches(`'${service}/settle'`, `{ method: 'POST', body: ${payment} }`),
    ),
    page('a POST of a Blob without a type', ({ service, payment }) =>
      fetches(
        `'${service}/settle'`,
        `{ method: 'POST', mode: 'no-cors', body: new Blob([${payment}]) }`,
      ),
    ),
    page('validation of a URL, so that the service asks it', ({ service }) =>
      fetches(
        `'${service}/discovery/validate'`,
        `{ method: 'POST', mode: 'no-cors', body: '{"url":"https://api.victim.dev/quote"}' }`,
      ),
    ),
    page(
      'a form whose text is JSON',
      ({ service, payment }) => `
        const frame = document.createElement('iframe');
        frame.name = 'answer';
        const loaded = new Promise((resolve) => { frame.onload = resolve; });
        document.body.append(frame);
        const form = document.createElement('form');
        Object.assign(form, { method: 'POST', enctype: 'text/plain', action: '${service}/settle', target: 'answer' });
        const input = document.createElement('input');
        const text = ${payment};
        Object.assign(input, { name: text.slice(0, -1) + ',"a":"', value: '"}' });
        form.append(input);
        document.body.append(form);
        form.submit();
        await loaded;
        await pause(500);
        try { return frame.contentDocument.body.innerText; } catch { return '${NOTHING}'; }`,
    ),
    page(
      'a beacon with text/plain and one with JSON',
      ({ service, payment }) => `
        navigator.sendBeacon('${service}/settle', ${payment});
        try { navigator.sendBeacon('${service}/settle', new Blob([${payment}], { type: 'application/json' })); } catch {}
        await pause(1000);
        return '${NOTHING}';`,
    ),
    page(
      'XMLHttpRequest with JSON',
      ({ service, payment }) => `
        return new Promise((resolve) => {
          const request = new XMLHttpRequest();
          request.open('POST', '${service}/settle');
          request.setRequestHeader('content-type', 'application/json');
          request.onload = () => resolve('read ' + request.status);
          request.onerror = () => resolve('${NOTHING}');
          request.send(${payment});
        });`,
    ),
    page(
      'WebSockets to both ports',
      ({ service, network }) => `
        const open = (url) => new Promise((resolve) => {
          const socket = new WebSocket(url.replace('http', 'ws'));
          socket.onopen = () => resolve('opened');
          socket.onerror = () => resolve('not opened');
        });
        return (await Promise.all(['${service}/settle', '${network}/rpc', '${network}/control'].map(open))).join();`,
      { refused: 'not opened,not opened,not opened' },
    ),
    page(
      'an EventSource of an answer that is not a stream',
      ({ service, network }) => `
        const open = (url) => new Promise((resolve) => {
          const source = new EventSource(url);
          source.onopen = () => resolve('opened');
          source.onerror = () => { source.close(); resolve('not opened'); };
        });
        return (await Promise.all(['${service}/discovery/resources', '${service}/operator/catalog', '${network}/control'].map(open))).join();`,
      { refused: 'not opened,not opened,not opened' },
    ),
    page(
      'a sandboxed frame, whose origin is null',
      ({ service, payment }) => `
        const frame = document.createElement('iframe');
        frame.sandbox = 'allow-scripts';
        const said = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
        const text = ${payment};
        frame.srcdoc = '<script>' +
          'fetch(' + JSON.stringify('${service}/settle') + ', { method: "POST", headers: { "content-type": "application/json" }, body: ' +
          JSON.stringify(text).replaceAll('<', '\\\\u003c') + ' })' +
          '.then((response) => parent.postMessage("read " + response.status, "*"), () => parent.postMessage(${JSON.stringify(NOTHING)}, "*"))' +
          '<' + '/script>';
        document.body.append(frame);
        return said;`,
    ),
    page('the operator’s journal with credentials', ({ service }) =>
      fetches(`'${service}/operator/catalog'`, `{ credentials: 'include' }`),
    ),
    page(
      'settlements and health as scripts',
      ({ service }) => `
        const load = (path) => new Promise((resolve) => {
          const script = document.createElement('script');
          script.src = '${service}' + path;
          script.onload = () => resolve('ran');
          script.onerror = () => resolve('not run');
          document.body.append(script);
        });
        const before = Object.keys(window).length;
        await Promise.all(['/health', '/supported', '/settlements'].map(load));
        return Object.keys(window).length === before ? '${NOTHING}' : 'variables of it';`,
    ),
    rebound('the facilitator’s health', 'facilitator', '/health', '421'),
    rebound('the operator’s journal', 'facilitator', '/operator/catalog', '421'),
    rebound('the network’s root', 'ledger', '/', '403'),
    rebound('the network’s control', 'ledger', '/control', '403'),
    framed('/catalog'),
    framed('/passkeys/page/aaaaaaaaaaaaaaaaaaaaaa'),
  ],
};
