import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { readCall } from '../mcp/callResult.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SECRET = /\bS[A-Z2-7]{55}\b/;

interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The tools of a server as a client starts it: from a folder of its own, where no package is installed. */
async function toolsOf(server: McpServer | undefined): Promise<readonly string[]> {
  assert.ok(server);
  const elsewhere = temporaryFolder();
  const client = new Client({ name: 'test', version: '1' });
  const { command, args, env } = server;
  const started = { command, args: [...args], env: { ...env }, cwd: elsewhere.path };
  await client.connect(new StdioClientTransport({ ...started, stderr: 'pipe' }));
  try {
    return (await client.listTools()).tools.map(({ name }) => name).sort();
  } finally {
    await client.close();
    elsewhere.remove();
  }
}

describe('svc-x402 agent: a budget from the command line, on the embedded network', () => {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder.path, 'agents', `${name}.json`);
  let dev: CliProcess;
  let seller = '';

  const run = (...args: string[]) =>
    new CliProcess(args, { SVC_X402_DATA_DIR: folder.path, NO_COLOR: '1' }).ended;
  const agent = (...args: string[]) => run('agent', ...args);
  const listed = async (): Promise<Record<string, unknown>[]> => {
    const { stdout } = await agent('list', '--json');
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  before(async () => {
    const ports = ['--ledger-port', '0', '--facilitator-port', '0'];
    dev = new CliProcess(['dev', '--json', '--data-dir', folder.path, ...ports]);
    seller = String((await dev.event('serving'))['seller']);
  });
  after(async () => {
    await dev.stop();
    folder.remove();
  });

  /** Calls a tool as an agent with this key file. */
  async function use(keyFile: string, name: string, values: Record<string, unknown> = {}) {
    const client = new Client({ name: 'test', version: '1' });
    const env = { PATH: process.env['PATH'] ?? '', SVC_X402_DATA_DIR: folder.path };
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli, 'mcp', '--pay', '--key-file', keyFile],
        env,
        stderr: 'pipe',
      }),
    );
    try {
      return (await client.callTool({ name, arguments: values })) as CallToolResult;
    } finally {
      await client.close();
    }
  }

  // Each call has an argument of its own: a repeated one may get the answer of the first.
  let calls = 0;
  const pay = async (keyFile: string) => {
    calls += 1;
    const values = { url: `${seller}?call=${calls}`, maxAmount: '0.01' };
    return readCall(await use(keyFile, 'x402_call', values)).said;
  };
  const budgetText = async (keyFile: string) => readCall(await use(keyFile, 'x402_budget')).text;
  const receiptsOf = async (keyFile: string) => {
    const { structuredContent } = await use(keyFile, 'x402_receipts', { limit: 100 });
    return (structuredContent as { receipts: object[] }).receipts;
  };

  it('one command gives a key file that only its owner can read, and prints no secret', async () => {
    const granted = await agent('grant', '--budget', '0.02', '--name', 'weather');
    assert.equal(granted.code, 0, granted.stderr);
    assert.match(granted.stdout, /^weather may spend 0\.02 USDC a day from C[A-Z2-7]{55}, until 2/);
    // Complete, so that no client looks up a name that anybody may register.
    const server: McpServer = {
      command: process.execPath,
      args: [cli, 'mcp', '--pay', '--key-file', path('weather')],
      env: { SVC_X402_DATA_DIR: folder.path },
    };
    const printed = [
      [/claude_desktop_config\.json/, { mcpServers: { 'svc-x402': server } }],
      [/\.cursor\/mcp\.json/, { mcpServers: { 'svc-x402': server } }],
      [/\.vscode\/mcp\.json/, { servers: { 'svc-x402': { type: 'stdio', ...server } } }],
      [/MCPServerStdio/, { ...server, args: [...server.args, '--answer-within', '4'] }],
    ] as const;
    for (const [client, expected] of printed) {
      const [, text = ''] =
        new RegExp(`${client.source}[^\\n]*:\\n(\\{.*?\\n\\})\\n`, 's').exec(granted.stdout) ?? [];
      const given = JSON.parse(text) as object;
      assert.deepEqual(given, expected);
      const [servers = given] = Object.entries(given)
        .filter(([name]) => /servers$/i.test(name))
        .map(([, each]) => (each as Record<string, object>)['svc-x402']);
      assert.deepEqual(await toolsOf(servers as McpServer), [
        'x402_budget',
        'x402_call',
        'x402_list_resources',
        'x402_receipts',
        'x402_search_resources',
      ]);
    }
    assert.doesNotMatch(granted.stdout + granted.stderr, SECRET);
    for (const name of readdirSync(join(folder.path, 'agents'))) {
      assert.equal(statSync(join(folder.path, 'agents', name)).mode & 0o777, 0o600, name);
    }
    assert.match(readFileSync(path('weather'), 'utf8'), SECRET);
  });

  it('the agent pays with it until the ledger refuses', async () => {
    for (const _ of [1, 2]) assert.equal((await pay(path('weather'))).outcome, 'settled');
    const refused = await pay(path('weather'));
    assert.deepEqual([refused.outcome, refused.code], ['not_paid', 'policy_refused']);
    const [shown] = await listed();
    assert.equal(shown?.['state'], 'active');
    assert.deepEqual(shown?.['budgets'], [
      {
        limit: '0.02',
        spent: '0.02',
        left: '0',
        windowSeconds: 86_400,
        sliding: false,
        maxPayments: null,
        paymentsLeft: null,
        perPayment: null,
        recipients: null,
      },
    ]);
  });

  it('a top-up changes the budget, what was spent stays spent, and the key file stays valid', async () => {
    const before = readFileSync(path('weather'), 'utf8');
    const changed = await agent('top-up', 'weather', '--budget', '0.5', '--per-payment', '0.02');
    assert.equal(changed.code, 0, changed.stderr);
    assert.equal(readFileSync(path('weather'), 'utf8'), before);
    assert.equal((await pay(path('weather'))).outcome, 'settled');
    const [shown] = await listed();
    const [budget] = (shown?.['budgets'] ?? []) as Record<string, unknown>[];
    assert.deepEqual([budget?.['spent'], budget?.['left']], ['0.03', '0.47']);
  });

  it('a later top-up keeps the limits that it does not name', async () => {
    const more = ['--window', 'week', '--sliding', '--max-payments', '9'];
    const changed = await agent('top-up', 'weather', '--budget', '0.6', ...more);
    const words =
      'weather may spend 0.6 USDC in any 7 days, in at most 9 payments, at most 0.02 USDC';
    assert.ok(changed.stdout.startsWith(words), changed.stdout + changed.stderr);
    await agent('top-up', 'weather', '--budget', '0.7');
    const [shown] = await listed();
    const [budget] = (shown?.['budgets'] ?? []) as Record<string, unknown>[];
    const { limit, windowSeconds, perPayment, sliding, maxPayments } = budget ?? {};
    assert.deepEqual([limit, windowSeconds, perPayment], ['0.7', 604_800, '0.02']);
    assert.deepEqual([sliding, maxPayments], [true, 9]);
    await agent('top-up', 'weather', '--budget', '0.8', '--no-sliding');
    const [fixed] = await listed();
    const [now] = (fixed?.['budgets'] ?? []) as Record<string, unknown>[];
    assert.equal(now?.['sliding'], false);
  });

  it('a top-up changes what it names and nothing else', async () => {
    const before = await listed();
    const held = async () => /holds (\S+) USDC/.exec(await budgetText(path('weather')))?.[1];
    const funds = await held();
    const count = await agent('top-up', 'weather', '--max-payments', '8');
    assert.equal(count.code, 0, count.stderr);
    const [budget] = ((await listed())[0]?.['budgets'] ?? []) as Record<string, unknown>[];
    const [old] = (before[0]?.['budgets'] ?? []) as Record<string, unknown>[];
    const left = 8 - (9 - Number(old?.['paymentsLeft']));
    assert.deepEqual(budget, { ...old, maxPayments: 8, paymentsLeft: left });
    assert.equal(await held(), funds);
    await agent('top-up', 'weather', '--budget', '0.9');
    assert.equal(await held(), funds);
    const more = await agent('top-up', 'weather', '--fund', '1');
    assert.equal(more.code, 0, more.stderr);
    assert.equal(Number(await held()), Number(funds) + 1);
    const nothing = await agent('top-up', 'weather');
    assert.equal(nothing.code, 2);
    assert.match(nothing.stderr, /Nothing to change/);
  });

  it('a rotated key pays under the same budget from the same file, and the old one pays nothing', async () => {
    const copy = join(folder.path, 'before.json');
    writeFileSync(copy, readFileSync(path('weather')), { mode: 0o600 });
    const [before] = await listed();
    const rotated = await agent('rotate', 'weather');
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.match(rotated.stdout, /^weather has a new key under the same budget/);
    assert.doesNotMatch(rotated.stdout + rotated.stderr, SECRET);
    assert.equal(statSync(path('weather')).mode & 0o777, 0o600);
    const [after] = await listed();
    assert.notEqual(after?.['agent'], before?.['agent']);
    assert.deepEqual(after?.['budgets'], before?.['budgets']);
    const receipts = await receiptsOf(path('weather'));
    assert.ok(receipts.length >= 3, 'the receipts of the agent include those of its earlier key');
    assert.equal((await pay(path('weather'))).outcome, 'settled');
    assert.equal((await receiptsOf(path('weather'))).length, receipts.length + 1);
    const spent = /spent (\S+), left/.exec(await budgetText(path('weather')))?.[1];
    const paid = /: (\S+) USDC in \d+ payments/.exec(await budgetText(path('weather')))?.[1];
    assert.equal(paid, spent, 'the sum of the receipts is what the ledger counts');
    const { code, stderr } = await run('mcp', '--pay', '--key-file', copy);
    assert.equal(code, 2);
    assert.match(stderr, /it was revoked/);
  });

  it('a rotation that was interrupted is finished by the next one', async () => {
    const kept = readFileSync(path('weather'));
    await agent('rotate', 'weather');
    // As if it had ended between the ledger and the file.
    writeFileSync(`${path('weather')}.next`, readFileSync(path('weather')), { mode: 0o600 });
    writeFileSync(path('weather'), kept, { mode: 0o600 });
    const finished = await agent('rotate', 'weather');
    assert.equal(finished.code, 0, finished.stderr);
    assert.equal((await pay(path('weather'))).outcome, 'settled');
    assert.equal(existsSync(`${path('weather')}.next`), false);
  });

  it('a revoked key pays nothing from then on, and its file is gone', async () => {
    const copy = join(folder.path, 'copy.json');
    writeFileSync(copy, readFileSync(path('weather')), { mode: 0o600 });
    const revoked = await agent('revoke', 'weather');
    assert.equal(revoked.code, 0, revoked.stderr);
    assert.equal(existsSync(path('weather')), false);
    const { code, stderr } = await run('mcp', '--pay', '--key-file', copy);
    assert.equal(code, 2);
    assert.match(stderr, /is not a key of the account on the ledger: it was revoked/);
  });

  it('agents have their own accounts and budgets; the secret is shown on request', async () => {
    const one = await agent('grant', '--budget', '1', '--name', 'one', '--show-secret');
    assert.match(one.stdout, SECRET);
    const two = await agent('grant', '--budget', '2', '--name', 'two');
    assert.equal(two.code, 0, two.stderr);
    const all = await listed();
    assert.deepEqual(
      all.map(({ name }) => name),
      ['one', 'two'],
    );
    assert.equal(new Set(all.map(({ wallet }) => wallet)).size, 2);
    assert.equal(new Set(all.map((shown) => shown['agent'])).size, 2);
  });

  it('refuses invalid input in one sentence, and leaves no key file', async () => {
    const refusals: readonly (readonly [string[], number, RegExp])[] = [
      [['grant', '--budget', '1', '--name', 'one'], 1, /An agent named one already exists/],
      [['grant', '--budget', '0', '--name', 'x'], 2, /--budget 0 is not an amount/],
      [
        ['grant', '--budget', '1', '--name', 'x', '--max-payments', '0'],
        2,
        /whole number, at least 1/,
      ],
      [['grant', '--budget', '1', '--name', '../x'], 2, /An agent.s name/],
      [['grant', '--budget', '1', '--name', 'x', '--expires', '1w'], 2, /--expires 1w is not/],
      [
        ['grant', '--budget', '1', '--name', 'x', '--recipient', 'nobody'],
        1,
        /nobody is not an address/,
      ],
      [['grant', '--budget', '1', '--name', 'x', '--per-payment', '2'], 1, /./],
      [['revoke', 'nobody'], 2, /cannot be read/],
    ];
    for (const [args, status, words] of refusals) {
      const { code, stderr } = await agent(...args);
      assert.match(stderr, words, args.join(' '));
      assert.equal(code, status, `${args.join(' ')}: ${stderr}`);
      assert.doesNotMatch(stderr, /^ {4}at /m, args.join(' '));
    }
    assert.equal(existsSync(path('x')), false);
    assert.equal((await listed()).length, 2);
  });

  it('accepts no key file that others can read, and no second key with it', async () => {
    chmodSync(path('one'), 0o644);
    const open = await run('mcp', '--pay', '--key-file', path('one'));
    assert.equal(open.code, 2);
    assert.match(open.stderr, /can be read by others. Run chmod 600 on it/);
    chmodSync(path('one'), 0o600);
    const environment = { SVC_X402_DATA_DIR: folder.path, PAYER_WALLET: 'C' };
    const twice = await new CliProcess(['mcp', '--pay', '--key-file', path('one')], environment)
      .ended;
    assert.match(twice.stderr, /Use PAYER_WALLET or --key-file, not both/);
    const alone = await run('mcp', '--key-file', path('one'));
    assert.match(alone.stderr, /Payment options need --pay/);
  });
});

describe('svc-x402 agent, without a network', () => {
  it('says what to start', async () => {
    const folder = temporaryFolder();
    const asked = new CliProcess(['agent', 'list'], { SVC_X402_DATA_DIR: folder.path });
    const { code, stderr } = await asked.ended;
    folder.remove();
    assert.equal(code, 1);
    assert.match(stderr, /Start both with `svc-x402 dev`/);
  });
});
