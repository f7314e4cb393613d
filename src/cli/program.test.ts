import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommanderError } from 'commander';
import type { Service } from './commandOptions.ts';
import { createProgram } from './program.ts';

interface Call {
  readonly name: string;
  readonly options: object;
}

/** Parses `args` and gives what would run with which options, or the refusal's text. */
async function parse(...args: string[]): Promise<Call | string> {
  let call: Call | undefined;
  const record = (name: string) => async (options: object) => {
    call = { name, options };
  };
  const service: Service = {
    runDev: record('dev'),
    runLedger: record('ledger'),
    runFacilitator: record('facilitator'),
    runCreateChannels: record('create-channels'),
    showStatus: record('status'),
    drain: record('drain'),
    changeCatalog: (action, target, options) => record(action)({ target, ...options }),
    listCatalogRules: record('rules'),
    listCatalogJournal: record('journal'),
    compareCosts: (before, after, options) =>
      record('compare-costs')({ before, after, ...options }),
    runTrace: (hash, options) => record('trace')({ hash, ...options }),
    payFor: (url, options) => record('pay')({ url, ...options }),
    showReceipts: (id, options) => record('receipt show')({ id, ...options }),
    verifyReceipt: (file, options) => record('receipt verify')({ file, ...options }),
    exportReceipt: (id, file, options) => record('receipt export')({ id, file, ...options }),
    runProxy: record('proxy'),
    runLink: (what, options) => record('link')({ what, ...options }),
    openPurse: async () => {
      throw new Error('nothing pays here');
    },
    grantAgent: record('grant'),
    listAgents: record('agents'),
    topUpAgent: (name, options) => record('top-up')({ name, ...options }),
    rotateAgent: (name, options) => record('rotate')({ name, ...options }),
    revokeAgent: (name, options) => record('revoke')({ name, ...options }),
    fundAccount: (address, options) => record('fund')({ address, ...options }),
    checkedPayTo: async ({ payTo }) => payTo,
    checkEndpoints: record('check'),
    checkUrl: (url, method, options) => record('check')({ url, method, ...options }),
    checkConfig: (path, options) => record('check')({ path, ...options }),
  };
  const program = createProgram(
    '1.2.3',
    async () => service,
    async () => async (version) => record('mcp')({ version }),
  );
  let said = '';
  const write = (text: string) => {
    said += text;
  };
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: write, writeErr: write });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return call ?? said;
  } catch (error) {
    assert.ok(error instanceof CommanderError);
    return said;
  }
}

describe('svc-x402 dev', () => {
  it('by default makes the demo payment and serves on the documented ports', async () => {
    assert.deepEqual(await parse('dev'), {
      name: 'dev',
      options: { ledgerPort: 8000, demo: true, restart: true },
    });
  });

  it('takes every option', async () => {
    const call = await parse(
      ...['dev', '--exit', '--no-demo', '--json', '--data-dir', '/d', '--ledger-port', '0'],
      ...['--facilitator-port', '4100', '--close', '5s', '--seed', 's'],
      ...['--in-memory', '--log-level', 'debug', '--no-restart'],
    );
    assert.deepEqual(call, {
      name: 'dev',
      options: {
        exit: true,
        demo: false,
        restart: false,
        json: true,
        dataDir: '/d',
        ledgerPort: 0,
        facilitatorPort: 4100,
        close: { kind: 'interval', milliseconds: 5000 },
        seed: 's',
        inMemory: true,
        logLevel: 'debug',
      },
    });
  });
});

describe('svc-x402 ledger --fork', () => {
  it('takes the other network’s RPC, and one of its ledgers', async () => {
    assert.deepEqual(await parse('ledger', '--fork', 'https://rpc.example/x', '--at', '77'), {
      name: 'ledger',
      options: { port: 8000, fork: 'https://rpc.example/x', at: 77 },
    });
  });

  it('refuses values that are not a URL or not a ledger', async () => {
    assert.match(String(await parse('ledger', '--fork', 'rpc.example')), /starts with http/);
    assert.match(String(await parse('ledger', '--fork', 'http://a', '--at', '0')), /whole number/);
  });
});

describe('svc-x402 ledger and facilitator', () => {
  it('ledger closes on demand on port 8000 by default', async () => {
    assert.deepEqual(await parse('ledger'), {
      name: 'ledger',
      options: { port: 8000 },
    });
  });

  it('facilitator reads the port from the environment by default', async () => {
    assert.deepEqual(await parse('facilitator'), {
      name: 'facilitator',
      options: { restart: true },
    });
  });

  it('create-channels has its own options', async () => {
    assert.deepEqual(await parse('facilitator', 'create-channels', '--json'), {
      name: 'create-channels',
      options: { json: true },
    });
  });
});

describe('a mistake in the options is reported as a sentence', () => {
  const mistakes: readonly (readonly [string[], RegExp])[] = [
    [['ledger', '--port', '70000'], /whole number from 0 to 65535/],
    [['ledger', '--port', '8e3'], /whole number from 0 to 65535/],
    [['ledger', '--close', 'often'], /demand, or a time between ledgers/],
    [['ledger', '--close', '1ms'], /10ms to 60m/],
    [['ledger', '--passphrase', ''], /must not be empty/],
    [['dev', '--log-level', 'loud'], /Allowed choices are debug, info, warn, error, silent/],
    [['ledger', '--prot', '1'], /Did you mean --port\?/],
    [['leger'], /Did you mean ledger\?/],
    [['ledger', 'extra'], /too many arguments/],
  ];
  for (const [args, expected] of mistakes) {
    it(args.join(' '), async () => {
      const said = await parse(...args);
      assert.ok(typeof said === 'string');
      assert.match(said, expected);
      assert.match(said, /--help/);
    });
  }
});

describe('help and version', () => {
  it('names every command', async () => {
    const said = await parse('--help');
    assert.ok(typeof said === 'string');
    for (const command of ['dev', 'ledger', 'facilitator']) assert.match(said, RegExp(command));
  });

  it('prints the version of the package', async () => {
    assert.equal(await parse('--version'), '1.2.3\n');
  });
});

describe('svc-x402 mcp', () => {
  it('runs the discovery tools, and loads no part of the service', async () => {
    assert.deepEqual(await parse('mcp'), { name: 'mcp', options: { version: '1.2.3' } });
  });
});

describe('svc-x402 pay', () => {
  it('pays at most 0.1 USDC by default', async () => {
    assert.deepEqual(await parse('pay', 'http://localhost:3000/weather'), {
      name: 'pay',
      options: { url: 'http://localhost:3000/weather', max: '0.1' },
    });
    const call = await parse('pay', 'http://localhost:3000/a', '--max', '2', '--body', '{}');
    assert.deepEqual(call, {
      name: 'pay',
      options: { url: 'http://localhost:3000/a', max: '2', body: '{}' },
    });
    assert.match(String(await parse('pay', 'weather')), /URL/);
  });
});

describe('svc-x402 catalog', () => {
  it('says what it changes, and why if there is a reason', async () => {
    assert.deepEqual(await parse('catalog', 'forbid', 'https://a.dev', '--reason', 'spam'), {
      name: 'forbid',
      options: { target: 'https://a.dev', reason: 'spam' },
    });
    assert.deepEqual(await parse('catalog', 'rules', '--json'), {
      name: 'rules',
      options: { json: true },
    });
  });
});

describe('svc-x402 trace', () => {
  it('takes a hash, and the network to query', async () => {
    assert.deepEqual(
      await parse('trace', 'ab', '--rpc-url', 'http://localhost:8000/rpc', '--json'),
      {
        name: 'trace',
        options: { hash: 'ab', rpcUrl: 'http://localhost:8000/rpc', json: true },
      },
    );
    assert.match(String(await parse('trace')), /missing required argument 'hash'/);
  });

  it('on a running network prints failures, or everything', async () => {
    const traced = async (...args: string[]): Promise<unknown> => {
      const call = await parse('ledger', ...args);
      return typeof call === 'string' ? call : 'trace' in call.options && call.options.trace;
    };
    assert.equal(await traced(), false);
    assert.equal(await traced('--trace'), 'failed');
    assert.equal(await traced('--trace', 'all'), 'all');
    assert.match(String(await traced('--trace', 'some')), /Allowed choices are failed, all/);
  });
});
