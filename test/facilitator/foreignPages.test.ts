import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';

interface Answered {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly reason: unknown;
}

function ask(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => {
        const parsed = text.startsWith('{') ? (JSON.parse(text) as { reason?: unknown }) : {};
        resolve({
          status: response.statusCode,
          headers: response.headers,
          reason: parsed.reason,
        });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const WRITES = ['/verify', '/settle', '/discovery/validate', '/policies/generate', '/mcp'] as const;
const JSON_BODY = { 'content-type': 'application/json' } as const;
const FOREIGN = { origin: 'https://evil.example' } as const;

describe("A web page of another origin cannot write into a developer's service", () => {
  let stack: LocalStack;
  let url = '';
  before(async () => {
    stack = await startLocalStack({ allowedOrigins: ['https://dapp.example'] });
    ({ url } = stack.facilitator);
  });
  after(() => stack.close());

  for (const path of WRITES) {
    describe(path, () => {
      it('refuses a no-cors text/plain POST, a form and a Blob without a type', async () => {
        for (const type of [
          'text/plain;charset=UTF-8',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'text/plain; application/json',
          'application/jsonp',
        ]) {
          const asked = await ask(`${url}${path}`, 'POST', { 'content-type': type }, '{}');
          assert.deepEqual([asked.status, asked.reason], [415, 'unsupported_media_type'], type);
        }
        const untyped = await ask(`${url}${path}`, 'POST', { 'content-length': '2' }, '{}');
        assert.equal(untyped.status, 415);
        const chunked = await ask(
          `${url}${path}`,
          'POST',
          { 'transfer-encoding': 'chunked' },
          '{}',
        );
        assert.equal(chunked.status, 415);
      });

      it('refuses a foreign Origin even with JSON, without a readable response', async () => {
        for (const origin of [
          'https://evil.example',
          'null',
          'https://localhost.evil.example',
          'https://evil.example:4021',
          'http://127.0.0.1.evil.example',
          'file://',
          'https://dapp.example.evil.example',
        ]) {
          const asked = await ask(`${url}${path}`, 'POST', { ...JSON_BODY, origin }, '{}');
          assert.deepEqual([asked.status, asked.reason], [403, 'foreign_origin'], origin);
          assert.equal(asked.headers['access-control-allow-origin'], undefined, origin);
        }
      });

      it('refuses a cross-site request that names no origin', async () => {
        for (const site of ['cross-site', 'same-site']) {
          const headers = { ...JSON_BODY, 'sec-fetch-site': site };
          const asked = await ask(`${url}${path}`, 'POST', headers, '{}');
          assert.deepEqual([asked.status, asked.reason], [403, 'foreign_origin'], site);
        }
      });

      it('accepts JSON from a program, from pages on this machine and from configured origins', async () => {
        for (const headers of [
          JSON_BODY,
          { 'content-type': 'application/json; charset=utf-8' },
          { ...JSON_BODY, origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
          { ...JSON_BODY, origin: 'http://[::1]:5173' },
          { ...JSON_BODY, origin: url },
          { ...JSON_BODY, origin: 'https://dapp.example' },
        ]) {
          const asked = await ask(`${url}${path}`, 'POST', headers, '{}');
          assert.ok(asked.status !== 403 && asked.status !== 415, JSON.stringify(headers));
        }
      });
    });
  }

  it('a foreign page’s preflight gets no permission, an allowed page’s does', async () => {
    for (const path of ['/discovery/validate', '/policies/generate', '/mcp']) {
      const foreign = await ask(`${url}${path}`, 'OPTIONS', FOREIGN);
      assert.equal(foreign.headers['access-control-allow-origin'], undefined, path);
      const dapp = await ask(`${url}${path}`, 'OPTIONS', { origin: 'https://dapp.example' });
      assert.equal(dapp.headers['access-control-allow-origin'], 'https://dapp.example', path);
    }
  });

  it('reading stays open to any page: discovery and policy templates', async () => {
    for (const path of ['/discovery/resources', '/discovery/feed.json', '/policies/templates']) {
      const read = await ask(`${url}${path}`, 'GET', {
        ...FOREIGN,
        'sec-fetch-site': 'cross-site',
      });
      assert.equal(read.status, 200, path);
      assert.equal(read.headers['access-control-allow-origin'], '*', path);
    }
  });
});
