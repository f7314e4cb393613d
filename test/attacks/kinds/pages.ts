import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import { refusalOf } from '../wire.ts';

const FOREIGN = '403 foreign_origin';
const MEDIA = '415 unsupported_media_type';
const WRITES = ['/verify', '/settle', '/discovery/validate', '/policies/generate', '/mcp'] as const;

/** What a page of another origin makes a browser send: headers, the expected refusal. */
const BY_A_PAGE: Readonly<Record<string, readonly [Readonly<Record<string, string>>, string]>> = {
  'a form': [
    { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    FOREIGN,
  ],
  'a form of a browser that names no origin': [
    { 'content-type': 'application/x-www-form-urlencoded' },
    MEDIA,
  ],
  'a no-cors request with text/plain': [
    {
      'content-type': 'text/plain;charset=UTF-8',
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
    },
    FOREIGN,
  ],
  'text/plain without an origin': [{ 'content-type': 'text/plain' }, MEDIA],
  'multipart form data': [
    { 'content-type': 'multipart/form-data; boundary=application/json' },
    MEDIA,
  ],
  'JSON in the parameters of text/plain': [
    { 'content-type': 'text/plain; application/json' },
    MEDIA,
  ],
  'JSON from another origin': [
    { 'content-type': 'application/json', origin: 'https://evil.example' },
    FOREIGN,
  ],
  'JSON from a sandboxed frame (origin null)': [
    { 'content-type': 'application/json', origin: 'null' },
    FOREIGN,
  ],
  'JSON across sites without an origin': [
    { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
    FOREIGN,
  ],
  'JSON from another host of the same site': [
    { 'content-type': 'application/json', 'sec-fetch-site': 'same-site' },
    FOREIGN,
  ],
  'an origin that begins like this machine': [
    { 'content-type': 'application/json', origin: 'http://localhost.evil.example' },
    FOREIGN,
  ],
  'an origin with this machine as its user': [
    { 'content-type': 'application/json', origin: 'http://localhost@evil.example' },
    FOREIGN,
  ],
  'an origin of a file and one of an extension': [
    { 'content-type': 'application/json', origin: 'chrome-extension://abcdefgh' },
    FOREIGN,
  ],
};

/** All routes that write or fetch, one after the other. */
function fromPage(
  name: string,
  headers: Readonly<Record<string, string>>,
  refused: string,
): Attack<Target> {
  return {
    name: `${name}, to ${WRITES.join(', ')}`,
    refused,
    async run(target) {
      const seen = new Set<string>();
      for (const path of WRITES) {
        seen.add(refusalOf(await target.service({ method: 'POST', path, headers, body: '{}' })));
      }
      return [...seen].join(', ');
    },
  };
}

const ADVANCE = '{"jsonrpc":"2.0","id":1,"method":"svc_advanceLedgers","params":{"count":5}}';

/** What a page sends to the methods that control the network. */
function toControl(
  name: string,
  headers: Readonly<Record<string, string>>,
  refused: string,
): Attack<Target> {
  return {
    name: `svc_advanceLedgers by ${name}`,
    refused,
    async run(target) {
      const asked = { method: 'POST', path: '/control', headers, body: ADVANCE };
      return `${(await target.network(asked)).status}`;
    },
  };
}

const JSON_TYPE = { 'content-type': 'application/json' } as const;

const CONTROL: readonly Attack<Target>[] = [
  toControl(
    'a page that names its origin',
    { ...JSON_TYPE, origin: 'https://evil.example' },
    '403',
  ),
  toControl('a sandboxed frame', { ...JSON_TYPE, origin: 'null' }, '403'),
  toControl(
    'a page of another port of this machine',
    { ...JSON_TYPE, origin: 'http://localhost:3000' },
    '403',
  ),
  toControl(
    'a cross-site request without an origin',
    { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' },
    '403',
  ),
  toControl(
    'a same-site request without an origin',
    { ...JSON_TYPE, 'sec-fetch-site': 'same-site' },
    '403',
  ),
  toControl('a form', { 'content-type': 'application/x-www-form-urlencoded' }, '415'),
  toControl('text/plain', { 'content-type': 'text/plain' }, '415'),
  toControl('a request without a type', {}, '415'),
  {
    name: 'svc_advanceLedgers by the open method RPC, from a page',
    refused: 'method not found',
    async run(target) {
      const headers = { ...JSON_TYPE, origin: 'https://evil.example' };
      const { text } = await target.network({
        method: 'POST',
        path: '/rpc',
        headers,
        body: ADVANCE,
      });
      const { error } = JSON.parse(text) as { error?: { message: string } };
      return error?.message ?? 'carried out';
    },
  },
  {
    name: 'a preflight of a page asks /control for permission',
    refused: 'no permission',
    async run(target) {
      const { headers, status } = await target.network({
        method: 'OPTIONS',
        path: '/control',
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
      return status === 204 && headers['access-control-allow-origin'] !== undefined
        ? 'permission'
        : 'no permission';
    },
  },
  ...(
    [
      '/settle',
      '/discovery/validate',
      '/policies/generate',
      '/operator/catalog',
      '/passkeys',
    ] as const
  ).map(
    (path): Attack<Target> => ({
      name: `a preflight of a page asks ${path} for permission, on a private network too`,
      refused: 'no permission',
      async run(target) {
        const { headers } = await target.service({
          method: 'OPTIONS',
          path,
          headers: {
            origin: 'https://evil.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type, authorization',
            'access-control-request-private-network': 'true',
          },
        });
        const given = Object.keys(headers).filter((name) => /^access-control-allow/.test(name));
        return given.length === 0 ? 'no permission' : given.join(', ');
      },
    }),
  ),
  {
    name: 'a page asks for passkeys on this machine, without the token of service.json',
    refused: 'refused',
    async run(target) {
      const { status } = await target.post('/passkeys', {}, { origin: 'https://evil.example' });
      return status >= 400 && status < 500 ? 'refused' : `${status}`;
    },
  },
  {
    name: 'a page guesses the address of a passkey request',
    refused: '403',
    run: async (target) =>
      `${(await target.service({ path: '/passkeys/page/aaaaaaaaaaaaaaaaaaaaaa/request' })).status}`,
  },
];

/** Requests as browsers send them for pages of other origins. The same from a real browser: `browser`. */
export const PAGES: AttackTable<Target> = {
  kind: 'pages',
  attacks: [
    ...Object.entries(BY_A_PAGE).map(([name, [headers, refused]]) =>
      fromPage(name, headers, refused),
    ),
    ...CONTROL,
  ],
};
