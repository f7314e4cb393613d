import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';

interface Answered {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
  body = '',
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: text }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

describe("A developer's service answers only under the names of this machine", () => {
  let stack: LocalStack;
  let url = '';
  before(async () => {
    stack = await startLocalStack({ loopbackNamesOnly: true });
    ({ url } = stack.facilitator);
  });
  after(() => stack.close());

  it('localhost, 127.0.0.1 and [::1], with any port', async () => {
    for (const host of ['localhost', '127.0.0.1:4021', '[::1]:4021', 'localhost.'])
      assert.equal((await ask(`${url}/health`, { host })).status, 200, host);
  });

  it('a page whose own name leads here is refused, whatever it asks (DNS rebinding)', async () => {
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.1',
    ])
      for (const [path, method] of [
        ['/health', 'GET'],
        ['/settle', 'POST'],
        ['/policies/generate', 'POST'],
        ['/discovery/resources', 'GET'],
      ] as const) {
        const { status, body } = await ask(`${url}${path}`, { host }, method);
        assert.equal(status, 421, `${host} ${path}`);
        assert.equal((JSON.parse(body) as { reason: string }).reason, 'wrong_host');
      }
  });
});

describe('A facilitator for others answers under any name', () => {
  it('behind any proxy', async () => {
    const stack = await startLocalStack();
    try {
      const { status } = await ask(`${stack.facilitator.url}/health`, { host: 'pay.example' });
      assert.equal(status, 200);
    } finally {
      await stack.close();
    }
  });
});
