import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import { refusalOf, statusesIn } from '../wire.ts';

const FORBID = { action: 'forbid', target: 'https://api.victim.dev', reason: 'taken' };
const DENIED = '403 not_permitted';

/** Tries to forbid the victim's listing with these headers. */
function forbid(
  name: string,
  headers: (token: string) => Readonly<Record<string, string>>,
  refused = DENIED,
  path = '/operator/catalog',
): Attack<Target> {
  return {
    name: `forbids another's listing ${name}`,
    refused,
    run: async (target) =>
      refusalOf(await target.post(path, FORBID, headers(target.parts.operatorToken))),
  };
}

/** Attacks by somebody who pretends to be the operator. */
export const OPERATOR: AttackTable<Target> = {
  kind: 'operator',
  attacks: [
    forbid('without a token', () => ({})),
    forbid('with an empty token', () => ({ authorization: 'Bearer ' })),
    forbid('with a token of the same length', (token) => ({
      authorization: `Bearer ${'x'.repeat(token.length)}`,
    })),
    forbid('with all but the last letter of the token', (token) => ({
      authorization: `Bearer ${token.slice(0, -1)}`,
    })),
    forbid('with the token and a letter more', (token) => ({ authorization: `Bearer ${token}x` })),
    forbid('with the token in capitals', (token) => ({
      authorization: `Bearer ${token.toUpperCase()}`,
    })),
    forbid('with the token as a password (Basic)', (token) => ({
      authorization: `Basic ${Buffer.from(`operator:${token}`).toString('base64')}`,
    })),
    forbid('with the token in a cookie', (token) => ({ cookie: `token=${token}` })),
    forbid('with the token in the address', () => ({}), DENIED, '/operator/catalog?token=x'),
    forbid('with the token, from a page of this machine', (token) => ({
      authorization: `Bearer ${token}`,
      origin: 'http://localhost:3000',
    })),
    forbid('with the token, from a page of the service itself', (token) => ({
      authorization: `Bearer ${token}`,
      'sec-fetch-site': 'same-origin',
    })),
    forbid(
      'with the token, from a foreign page',
      (token) => ({ authorization: `Bearer ${token}`, origin: 'https://evil.example' }),
      '403 foreign_origin',
    ),
    forbid('by a path in capitals', () => ({}), '404 not_found', '/OPERATOR/catalog'),
    forbid('by a path with two slashes', () => ({}), '404 not_found', '//operator/catalog'),
    {
      name: 'reads the operator’s journal without a token',
      refused: DENIED,
      run: async (target) => refusalOf(await target.service({ path: '/operator/catalog' })),
    },
    {
      name: 'reads the journal by a path that leads there',
      refused: '403',
      run: async (target) =>
        statusesIn(
          await target.bytes(
            'facilitator',
            'GET /catalog/../operator/catalog HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
          ),
        ),
    },
  ],
};
