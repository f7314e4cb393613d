import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createCookieJar } from './cookieJar.ts';
import { type HistoryEntry, withEntry } from './history.ts';
import { readEnvironments, readRequests, writeRequest } from './requestFile.ts';
import { formFor } from './requestForm.ts';

describe('[finding: E7] cookies of a session', () => {
  it('go back to the host that set them, by path and time', () => {
    let now = 1_000_000;
    const jar = createCookieJar(() => now);
    jar.keep('http://localhost:3000/login', [
      'sid=1; Path=/; HttpOnly',
      'deep=2; Path=/admin',
      'short=3; Max-Age=10; Path=/',
      'local=4; Secure; Path=/',
    ]);
    assert.equal(jar.headerFor('http://localhost:4000/x'), 'sid=1; short=3; local=4');
    assert.equal(jar.headerFor('http://localhost:3000/admin/x'), 'deep=2; sid=1; short=3; local=4');
    assert.equal(jar.headerFor('http://localhost:3000/administrator'), 'sid=1; short=3; local=4');
    assert.equal(jar.headerFor('http://example.com/'), undefined);
    now += 10_000;
    assert.equal(jar.headerFor('http://localhost:3000/x'), 'sid=1; local=4');
    jar.keep('http://localhost:3000/login', ['sid=5; Path=/', 'local=; Max-Age=0; Path=/']);
    assert.equal(jar.headerFor('http://localhost:3000/x'), 'sid=5');
    jar.clear();
    assert.equal(jar.headerFor('http://localhost:3000/x'), undefined);
  });

  it('never go to a host that another one names', () => {
    const jar = createCookieJar();
    jar.keep('https://evil.example/', [
      'a=1; Domain=bank.example',
      'b=2; Domain=example',
      'c=3; Domain=.evil.example',
      'd=4; Secure',
      'broken',
      '=5',
    ]);
    assert.equal(jar.headerFor('https://bank.example/'), undefined);
    assert.equal(jar.headerFor('https://www.evil.example/'), 'c=3');
    assert.equal(jar.headerFor('http://evil.example/'), 'c=3');
    assert.equal(jar.headerFor('https://notevil.example/'), undefined);
  });
});

describe('The history of requests', () => {
  it('has the newest first, up to a limit, and no secrets', () => {
    const form = {
      ...formFor('GET', 'http://h/x', undefined),
      headers: [
        { name: 'Authorization', value: 'Bearer secret' },
        { name: 'x-trace', value: '1' },
      ],
    };
    const entry = { form, status: 200, ms: 5, paid: '0.01 USDC', settlement: 'abc' };
    let history: readonly HistoryEntry[] = [];
    for (let at = 0; at < 60; at += 1) history = withEntry(history, { ...entry, at });
    assert.equal(history.length, 50);
    assert.equal(history[0]?.at, 59);
    assert.deepEqual(history[0]?.form.headers, [{ name: 'x-trace', value: '1' }]);
    assert.doesNotMatch(JSON.stringify(history), /secret/);
  });
});

const FILE = `@host = http://localhost:3000
@api = {{host}}/v1
# a comment

### Free
# @name weather
GET {{api}}/weather
  ?city=Lima
  &days={{days}}
Accept: text/plain
// not a header

###
POST {{api}}/quote HTTP/1.1
Content-Type: application/json
X-Key: {{key}}

{
  "amount": 1
}

### only a title

###
{{host}}/short
`;

describe('Requests in a file', () => {
  it('are read as REST Client reads them: names, variables, queries over lines, headers, bodies', () => {
    const requests = readRequests(FILE, { days: '3', host: 'http://ignored' });
    assert.deepEqual(
      requests.map(({ name, line }) => [name, line]),
      [
        ['weather', 6],
        ['POST http://localhost:3000/v1/quote', 13],
        ['GET http://localhost:3000/short', 24],
      ],
    );
    const [first, second] = requests;
    assert.equal(first?.form.url, 'http://localhost:3000/v1/weather');
    assert.deepEqual(first.form.query, [
      { name: 'city', value: 'Lima' },
      { name: 'days', value: '3' },
    ]);
    assert.deepEqual(first.form.headers, [{ name: 'Accept', value: 'text/plain' }]);
    assert.deepEqual(first.unknown, []);
    assert.equal(second?.form.method, 'POST');
    assert.equal(second.form.body, '{\n  "amount": 1\n}');
    assert.deepEqual(second.unknown, ['key']);
  });

  it('use the variables of an environment, and those that all share', () => {
    const environments = readEnvironments(
      '{"$shared":{"days":2},"dev":{"key":"d"},"prod":{"key":"p","days":9}}',
    );
    assert.deepEqual(environments, { dev: { days: '2', key: 'd' }, prod: { days: '9', key: 'p' } });
    const [, quote] = readRequests(FILE, environments['prod']);
    assert.deepEqual(quote?.form.headers[1], { name: 'X-Key', value: 'p' });
    assert.deepEqual(readEnvironments('['), {});
  });

  it('with variables that define each other end, and name what is missing', () => {
    const [request] = readRequests('@a = {{b}}\n@b = {{a}}\nGET http://h/{{a}}\n');
    assert.ok(request);
    assert.ok(request.unknown.length > 0);
  });

  it('are the same after they are written and read again', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
    fc.assert(
      fc.property(
        fc.constantFrom('GET', 'POST', 'DELETE'),
        fc.array(fc.tuple(word, fc.stringMatching(/^[\w ü%&=+/]{0,9}$/)), { maxLength: 3 }),
        fc.array(fc.tuple(word, word), { maxLength: 3 }),
        fc.stringMatching(/^(\{"[a-z]{1,5}": "[a-z ü]{0,9}"\}|)$/),
        (method, query, headers, body) => {
          const pairs = (list: readonly [string, string][]) =>
            list.map(([name, value]) => ({ name, value }));
          const form = {
            ...formFor(method, 'http://localhost:3000/a/b', undefined),
            query: pairs(query),
            headers: pairs(headers),
            body,
          };
          const text = `${writeRequest(form, 'one')}\n${writeRequest(form, 'two')}`;
          const read = readRequests(text);
          assert.deepEqual(
            read.map(({ name }) => name),
            ['one', 'two'],
          );
          for (const one of read) assert.deepEqual(one.form, form);
        },
      ),
    );
  });
});
