import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { nodeTransport } from '../http/index.ts';
import { listeningInTable, portsInLsof, portsInNetstat, processTree } from './listeningPorts.ts';
import { missingPackages, packagesInCode } from './missingPackages.ts';
import {
  describePorts,
  listenersInLsof,
  listenersInNetstat,
  openPorts,
  shortCommand,
} from './openPorts.ts';
import { fileInScript, likelyPort, portInCode } from './portInCode.ts';
import { lastLines, missingInOutput, printedPorts } from './serverOutput.ts';
import { type ServerProcess, startServerProcess } from './serverRun.ts';
import { type ServerFound, whereServed, withPort } from './whereServed.ts';

describe('[finding: E2] the port of a server before it is started', () => {
  const CODES: readonly (readonly [string, number])[] = [
    ['app.listen(4000)', 4000],
    ['const port = 8085;\napp.listen(port, () => console.log(`on 9999`));', 8085],
    ['const PORT: number = 8086\nserver.listen(PORT)', 8086],
    ['const port = 8087;\napp.listen({ port });', 8087],
    ["app.listen({ host: '0.0.0.0', port: 4001 })", 4001],
    ['const port = Number(process.env.PORT ?? 4002);\nserve({ fetch: app.fetch, port });', 4002],
    ['serve({ fetch: app.fetch, port: 8787 }, (info) => {});', 8787],
    ['export default { port: 3001, fetch: app.fetch };', 3001],
    ['export default {\n  fetch: app.fetch,\n  port: process.env.PORT || 3002,\n}', 3002],
    ['Bun.serve({ port: 3003, fetch })', 3003],
    ["const P = parseInt(process.env.PORT || '3004', 10);\napp.listen(P);", 3004],
    ['// app.listen(1111)\n/* listen(2222) */\napp.listen(3005)', 3005],
    ['const port = process.env.PORT || 5000', 5000],
  ];
  for (const [code, port] of CODES) {
    it(`is ${port} for ${JSON.stringify(code)}`, () => {
      assert.equal(portInCode(code)?.port, port);
    });
  }

  it('is not made up', () => {
    for (const code of ['', 'router.get("/x/3000")', 'app.listen(await freePort())']) {
      assert.equal(portInCode(code), undefined, code);
    }
  });

  it('is the one that the script passes, whatever the code says', () => {
    const sources = ['app.listen(4000)'];
    for (const [script, port] of [
      ['next dev -p 3333', 3333],
      ['next dev --turbo --port 3334', 3334],
      ['vite --port=5174', 5174],
      ['PORT=4010 node server.js', 4010],
      ['set PORT=4011&& node server.js', 4011],
    ] as const) {
      assert.deepEqual(likelyPort({ sources, script, envFiles: [] }), { port, from: 'script' });
    }
  });

  it('is the one in .env only if the code reads it from there', () => {
    const envFiles = ['', 'PORT=4500\n'];
    const reads = ['app.listen(process.env.PORT ?? 3000)'];
    assert.equal(likelyPort({ sources: reads, script: '', envFiles }).port, 4500);
    const fixed = ['app.listen(3000)'];
    assert.equal(likelyPort({ sources: fixed, script: '', envFiles }).port, 3000);
    assert.equal(likelyPort({ sources: [], script: 'next dev', envFiles }).port, 4500);
  });

  it('is in the file that the script starts if the endpoint is in a router elsewhere', () => {
    const sources = ["router.get('/x', h)", 'app.use(router); app.listen(8090)'];
    assert.deepEqual(likelyPort({ sources, script: '', envFiles: [] }), {
      port: 8090,
      from: 'code',
    });
    assert.equal(fileInScript('tsx watch --clear-screen=false src/index.ts'), 'src/index.ts');
    assert.equal(fileInScript('node --env-file=.env ./server.mjs'), 'server.mjs');
    assert.equal(fileInScript('next dev'), undefined);
  });

  it('is known to be a guess where nothing names it', () => {
    assert.deepEqual(likelyPort({ sources: [''], script: 'node x', envFiles: [] }), {
      port: 3000,
      from: 'usual',
    });
  });
});

describe('[finding: E2] what a server prints', () => {
  it('names its ports, in the colours of each framework', () => {
    for (const [output, ports] of [
      ['   - Local:        http://localhost:3333\n   - Network: http://10.0.0.7:3333', [3333]],
      [
        '  \u001b[32m➜\u001b[39m  Local:   \u001b[36mhttp://localhost:\u001b[1m5174\u001b[22m/\u001b[39m',
        [5174],
      ],
      ['{"msg":"Server listening at http://[::]:3001"}', [3001]],
      ['Started server: http://0.0.0.0:3002', [3002]],
      ['Listening on port 8085', [8085]],
      ['up on :8086 and on port 8086', [8086]],
      ['Debugger listening on ws://127.0.0.1:9229/x\nlistening on http://127.0.0.1:4000', [4000]],
      ['200 requests in 3000 ms', []],
    ] as const) {
      assert.deepEqual(printedPorts(output), ports, output);
    }
  });

  it('last is the reason why it ended, without the stack', () => {
    const output = '\u001b[31mError: boom\u001b[0m\n    at x (y:1:2)\n    at z\n\nNode.js v20\n';
    assert.equal(lastLines(output), 'Error: boom\nNode.js v20');
  });

  it('names the packages that are missing', () => {
    assert.deepEqual(
      missingInOutput(
        "Cannot find package '@x402/express' imported from /a/server.js\nError: Cannot find module 'hono/cors'\nModule not found: Can't resolve '@x402/next'\nCannot find module './local.js'",
      ),
      ['@x402/express', 'hono', '@x402/next'],
    );
  });
});

describe('[finding: E2] listening sockets', () => {
  it('are those of a process and its descendants', () => {
    const all = [
      { pid: 3, parent: 2 },
      { pid: 2, parent: 1 },
      { pid: 9, parent: 8 },
    ];
    assert.deepEqual([...processTree(1, all)].sort(), [1, 2, 3]);
  });

  it('are read from the tables of Linux, macOS and Windows', () => {
    const row = (local: string, state: string, inode: string) =>
      `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 100 0 0 10 0`;
    const table = [
      '  sl  local',
      row('0100007F:0FA0', '0A', '77'),
      row('0100007F:0FA1', '01', '77'),
      row('0100007F:0FA2', '0A', '78'),
    ].join('\n');
    assert.deepEqual(listeningInTable(table, new Set(['77'])), [4000]);
    assert.deepEqual(portsInLsof('p12\nf22\nn*:3000\nn[::1]:3001\n'), [3000, 3001]);
    const netstat = [
      '  Proto  Local Address          Foreign Address        State           PID',
      '  TCP    0.0.0.0:3000           0.0.0.0:0              LISTENING       42',
      '  TCP    [::]:3001              [::]:0                 ABHÖREN         42',
      '  TCP    127.0.0.1:50000        127.0.0.1:3000         ESTABLISHED     42',
      '  TCP    0.0.0.0:135            0.0.0.0:0              LISTENING       7',
    ].join('\r\n');
    assert.deepEqual(portsInNetstat(netstat, new Set([42])), [3000, 3001]);
  });
});

describe('the listening ports of this machine', () => {
  it('are offered with their programs, those of this window first', () => {
    const processes = [
      { pid: 10, parent: 1, command: '/bin/bash' },
      { pid: 11, parent: 10, command: '/usr/bin/python3 /home/me/shop/app.py --reload' },
      { pid: 12, parent: 11, command: 'python3 worker' },
      { pid: 20, parent: 1, command: 'postgres' },
    ];
    const listeners = [
      { pid: 20, port: 5432 },
      { pid: 11, port: 8000 },
      { pid: 12, port: 8000 },
      { pid: 12, port: 3000 },
    ];
    assert.deepEqual(describePorts(processes, listeners, [10]), [
      { port: 3000, program: 'python3 worker', isOwn: true },
      { port: 8000, program: 'python3 app.py --reload', isOwn: true },
      { port: 5432, program: 'postgres', isOwn: false },
    ]);
  });

  it('have their process in the tables of macOS and Windows', () => {
    assert.deepEqual(listenersInLsof('p12\nf22\nn*:3000\np13\nf4\nn[::1]:3001\n'), [
      { pid: 12, port: 3000 },
      { pid: 13, port: 3001 },
    ]);
    const netstat =
      '  TCP    0.0.0.0:3000           0.0.0.0:0              LISTENING       42\r\n  TCP    127.0.0.1:50000        127.0.0.1:3000         ESTABLISHED     42\r\n';
    assert.deepEqual(listenersInNetstat(netstat), [{ pid: 42, port: 3000 }]);
  });

  it('name a program without its folders, and not for ever', () => {
    assert.equal(
      shortCommand('C:\\Python\\python.exe -m http.server'),
      'python.exe -m http.server',
    );
    assert.ok(shortCommand(`node ${'x'.repeat(100)}`).length <= 61);
  });

  it('contain the one that a program of this process opened', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const own = (await openPorts([process.pid])).find((one) => one.port === port);
      if (process.platform === 'linux') assert.equal(own?.isOwn, true);
    } finally {
      server.close();
    }
  });
});

describe('[finding: E3] packages that the code needs', () => {
  it('are found in every folder upwards, and the others are missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-missing-'));
    const put = (...path: string[]) => {
      mkdirSync(join(folder, ...path), { recursive: true });
      writeFileSync(join(folder, ...path, 'package.json'), '{}');
    };
    put('node_modules', '@x402', 'core');
    put('app', 'node_modules', '@x402', 'express');
    const file = join(folder, 'app', 'src', 'server.ts');
    const code = [
      "import { paymentMiddleware } from '@x402/express';",
      'import * as core from "@x402/core/server";',
      "const stellar = require('@x402/stellar/exact');",
      "import express from 'express';",
    ].join('\n');
    const names = packagesInCode(code);
    assert.deepEqual(names, ['@x402/core', '@x402/express', '@x402/stellar']);
    assert.deepEqual(await missingPackages(file, names), ['@x402/stellar']);
    writeFileSync(join(folder, '.pnp.cjs'), '');
    assert.deepEqual(await missingPackages(file, names), []);
    rmSync(folder, { recursive: true });
  });
});

describe('[finding: E2] a started server', { skip: process.platform === 'win32' }, () => {
  let server: ServerProcess | undefined;
  let folder: string;
  const transport = nodeTransport({ timeoutMs: 1_000 });
  const answers = (url: string) =>
    transport({ method: 'HEAD', url: new URL('/', url).href }).then(
      () => true,
      () => false,
    );
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-server-'));
  });
  afterEach(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Starts a program under another process, as package managers do. */
  function start(program: string): void {
    writeFileSync(join(folder, 'server.cjs'), program);
    const parent = `require('node:child_process').spawn(process.execPath, ['server.cjs'], { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))`;
    server = startServerProcess(
      { command: process.execPath, args: ['-e', parent], windowsVerbatimArguments: false },
      { cwd: folder, variables: { NAME: 'x' }, onOutput: () => {}, onEnd: () => {} },
    );
  }

  function found(
    withinMs = 20_000,
    choosePort: (ports: readonly number[]) => Promise<number | undefined> = async () =>
      assert.fail('nothing is to be asked'),
  ): Promise<ServerFound> {
    assert.ok(server);
    const { signal } = new AbortController();
    const url = 'http://localhost:39999/paid/:id';
    return whereServed({ url, run: server, signal, answers, choosePort, withinMs });
  }

  const LISTEN = "require('node:http').createServer((q, a) => a.end('ok'))";

  it('is tested on the port that it opened, though it prints none and the form has another', async () => {
    start(`${LISTEN}.listen(0, '127.0.0.1')`);
    const result = await found();
    assert.ok(result.kind === 'served', JSON.stringify(result));
    assert.match(result.url, /^http:\/\/localhost:\d+\/paid\/:id$/);
    assert.doesNotMatch(result.url, /39999/);
  });

  it('is tested on the port that it printed if it opened several', async () => {
    start(
      `${LISTEN}.listen(0, '127.0.0.1'); ${LISTEN}.listen(0, '127.0.0.1', function () { console.log('ready: http://localhost:' + this.address().port) })`,
    );
    const result = await found();
    assert.ok(result.kind === 'served');
    assert.deepEqual(printedPorts(server?.output ?? ''), [Number(new URL(result.url).port)]);
  });

  it('is asked about if it opened several ports and printed none', async () => {
    start(`${LISTEN}.listen(0, '127.0.0.1'); ${LISTEN}.listen(0, '127.0.0.1')`);
    const asked: (readonly number[])[] = [];
    const result = await found(20_000, async (ports) => {
      asked.push(ports);
      return ports[1];
    });
    assert.equal(asked[0]?.length, 2);
    assert.ok(result.kind === 'served');
    assert.equal(Number(new URL(result.url).port), asked[0]?.[1]);
  });

  it('that dies is reported within a second, with its last lines and what it lacks', async () => {
    start("console.log('starting'); require('@x402/nothing')");
    const begun = Date.now();
    while (server?.ended === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    const endedAt = Date.now();
    const result = await found();
    assert.ok(Date.now() - endedAt < 1_000, `${Date.now() - begun} ms`);
    assert.ok(result.kind === 'ended');
    assert.equal(result.code, 1);
    assert.match(result.said, /^starting\n[\s\S]*Cannot find module '@x402\/nothing'/);
    assert.doesNotMatch(result.said, /\n\s+at /);
    assert.deepEqual(result.missing, ['@x402/nothing']);
  });

  it('that opens no port is said to be running without one, not to be dead', async () => {
    start("console.log('compiling'); setInterval(() => {}, 1000)");
    while (server?.output === '') await new Promise((resolve) => setTimeout(resolve, 5));
    const result = await found(300);
    assert.deepEqual(result, { kind: 'silent', said: 'compiling' });
  });

  it('ends with all its descendants', async () => {
    start(`${LISTEN}.listen(0, '127.0.0.1')`);
    const result = await found();
    assert.ok(result.kind === 'served');
    await server?.stop();
    assert.equal(await answers(result.url), false);
  });
});

describe('The port of a URL', () => {
  it('is replaced in URLs with parameters, as they were typed', () => {
    for (const [url, other] of [
      ['http://localhost:3000/a/:id', 'http://localhost:8085/a/:id'],
      ['http://localhost/a', 'http://localhost:8085/a'],
      ['http://[::1]:3000/{x}?y=1', 'http://[::1]:8085/{x}?y=1'],
    ] as const) {
      assert.equal(withPort(url, 8085), other);
    }
  });
});
