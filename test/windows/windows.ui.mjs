// The command line on Windows' own Node, under wine; buyers and sellers are on Linux' side.
// usage: bash .ci/windows   (which installs wine and Node, and copies dist/ to C:\svc-x402)

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { paidApi, root } from '../../scripts/prepare.mjs';
import { onThisMachine, WindowsProcess } from './windowsNode.mjs';

const CLI = 'C:\\svc-x402\\dist\\cli.js';
const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const slow = { timeout: 240_000 };

/** @param {string[]} args @param {{ cwd?: string }} [options] */
const cli = (args, options) => new WindowsProcess([CLI, ...args], options);

before(() => {
  const installed = onThisMachine('C:\\svc-x402');
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, 'dist'), join(installed, 'dist'), { recursive: true });
  for (const file of ['package.json', 'README.md']) cpSync(join(root, file), join(installed, file));
});

/** @param {string} path as Windows names it */
function emptyFolder(path) {
  rmSync(onThisMachine(path), { recursive: true, force: true });
  mkdirSync(onThisMachine(path), { recursive: true });
  return path;
}

/** The stock seller or buyer of examples/paid-api, with its steps as JSON. */
class Example {
  #steps = [];
  #printed = '';
  #over = false;
  #child;

  /** @param {string} file @param {Record<string, string>} environment */
  constructor(file, environment) {
    this.#child = spawn(process.execPath, [file, '--json'], {
      cwd: paidApi,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stderr.on('data', (chunk) => {
      this.#printed += chunk;
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#printed += `${line}\n`;
      if (line.startsWith('{')) this.#steps.push(JSON.parse(line));
    });
    this.#child.once('close', () => {
      this.#over = true;
    });
  }

  /**
   * Waits for a step and returns what was reported of it.
   *
   * @param {string} name
   */
  async step(name) {
    for (;;) {
      const over = this.#over;
      const found = this.#steps.find(({ step }) => step === name);
      if (found) return found;
      if (over) throw new Error(`ended before ${name}:\n${this.#printed}`);
      await pause(50);
    }
  }

  stop() {
    this.#child.kill();
  }
}

describe('svc-x402 dev on Windows', { concurrency: false }, () => {
  const folder = 'C:\\data';
  const args = [
    ...['dev', '--no-demo', '--json', '--data-dir', folder],
    ...['--ledger-port', '0', '--facilitator-port', '0'],
  ];
  const opened = [];
  let dev;
  let serving;
  let paid;

  before(() => {
    emptyFolder(folder);
  });
  after(async () => {
    for (const one of opened) one.stop();
    await dev?.kill();
  });

  /** A seller and a buyer with accounts of their own; returns what the buyer was sold. */
  async function payOnce() {
    const { rpcTlsUrl, friendbotUrl, certificateAuthorityFile } = serving.network;
    const environment = {
      FACILITATOR_URL: serving.facilitatorUrl,
      STELLAR_RPC_URL: rpcTlsUrl,
      FRIENDBOT_URL: friendbotUrl,
      NODE_EXTRA_CA_CERTS: onThisMachine(certificateAuthorityFile),
      PORT: '0',
    };
    const seller = new Example('seller.mjs', environment);
    opened.push(seller);
    const { url, payTo } = await seller.step('listening');
    const buyer = new Example('buyer.mjs', { ...environment, RESOURCE_URL: url });
    opened.push(buyer);
    const settled = await buyer.step('settled');
    const { after: balances } = await buyer.step('balances');
    seller.stop();
    return { ...settled, url, payTo, balances };
  }

  async function transactionStatus(hash) {
    const response = await fetch(serving.network.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params: { hash } }),
    });
    return (await response.json()).result.status;
  }

  async function listed(payTo) {
    const response = await fetch(`${serving.facilitatorUrl}/discovery/merchant?payTo=${payTo}`);
    return (await response.json()).resources;
  }

  it('starts, and a stock buyer on Linux pays a stock seller', slow, async () => {
    dev = cli(args);
    serving = await dev.event('serving');
    paid = await payOnce();
    assert.equal(paid.status, 200);
    assert.equal(paid.balances.seller.usdc, '0.0100000');
    assert.equal(await transactionStatus(paid.transaction), 'SUCCESS');
  });

  it('a second start on the same folder is refused with a message', slow, async () => {
    const { code, stdout, stderr } = await cli(args).ended;
    assert.notEqual(code, 0);
    assert.doesNotMatch(stdout + stderr, /\n\s+at .*\.js:\d+/);
    assert.match(stdout + stderr, /in use|is used|has the file open|already runn|holds|another/i);
    assert.equal(await transactionStatus(paid.transaction), 'SUCCESS');
  });

  describe('killed and started again', () => {
    it('still has its ledger and the settlement', slow, async () => {
      const [before] = await listed(paid.payTo);
      await dev.kill();
      dev = cli(args);
      serving = await dev.event('serving');
      assert.equal(await transactionStatus(paid.transaction), 'SUCCESS');
      const [entry] = await listed(paid.payTo);
      assert.equal(entry.resource, before.resource);
      const counted = ({ trust: { settlements, uniquePayers, lastSettledAt } }) => ({
        ...{ settlements, uniquePayers, lastSettledAt },
      });
      assert.equal(entry.trust.settlements, 1);
      assert.deepEqual(counted(entry), counted(before));
    });

    it('accepts the next payment', slow, async () => {
      assert.equal((await payOnce()).status, 200);
    });
  });
});

/** `.ci/run` without --full has fewer. */
const rounds = process.env['LOCK_ROUNDS'] ?? '200';

describe('A lock on Windows, where only silence proves that a holder is dead', () => {
  it(`[finding: K2] is adopted by one of three processes, in each of ${rounds} rounds`, {
    timeout: 120_000 + 3_000 * Number(rounds),
  }, async () => {
    const folder = emptyFolder('C:\\locks');
    await build({
      absWorkingDir: root,
      entryPoints: ['test/machine/main.ts', 'test/machine/roundRunner.ts'],
      outdir: onThisMachine(folder),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
    });
    const kept = `${folder}\\counts.json`;
    writeFileSync(
      onThisMachine(kept),
      JSON.stringify({ rounds: 0, double: 0, nobody: 0, failed: 0 }),
    );
    const { code, stdout, stderr } = await new WindowsProcess([
      `${folder}\\main.mjs`,
      ...['--rounds', rounds, '--lanes', '20', '--counts', kept],
      ...['--runner', `${folder}\\roundRunner.mjs`],
    ]).ended;
    // Counts come from the file that each round updates: a program that ends early, or whose output is lost, does not look like
    // a wrong lock.
    const counts = JSON.parse(readFileSync(onThisMachine(kept), 'utf8'));
    const how = `ended with ${code} after ${counts.rounds} of ${rounds} rounds\n${stdout}\n${stderr}`;
    console.log(how.trim());
    assert.deepEqual([counts.double, counts.nobody], [0, 0], `double holders, nobody: ${how}`);
    assert.deepEqual(
      [counts.rounds, counts.failed],
      [Number(rounds), 0],
      `no lock was wrong, but not every round was judged: ${how}`,
    );
  });
});

describe('svc-x402 add and remove on Windows', () => {
  const lines = [
    "import express from 'express';",
    '',
    'const app = express();',
    '',
    "app.get('/quote', (_req, res) => {",
    '  res.json({ price: 1 });',
    '});',
    '',
  ];

  for (const [name, end] of [
    ['CRLF', '\r\n'],
    ['LF', '\n'],
  ]) {
    it(`restore a file with ${name} byte for byte`, slow, async () => {
      const project = emptyFolder(`C:\\quotes-${name}`);
      const manifest = '{ "name": "quotes", "type": "module" }\r\n';
      writeFileSync(onThisMachine(`${project}\\package.json`), manifest);
      const path = onThisMachine(`${project}\\app.js`);
      const text = lines.join(end);
      writeFileSync(path, text);

      const added = await cli(['add', 'app.js', '--price', '0.05', '--pay-to', PAY_TO], {
        cwd: project,
      }).ended;
      assert.equal(added.code, 0, added.stderr);
      assert.match(added.stdout, /Payment added: GET \/quote/);
      const changed = readFileSync(path, 'utf8');
      assert.ok(changed.includes("price: '$0.05'"));
      assert.equal(changed.replaceAll(end, '').includes('\n'), false);

      const removed = await cli(['remove', 'app.js'], { cwd: project }).ended;
      assert.equal(removed.code, 0, removed.stderr);
      assert.equal(readFileSync(path, 'utf8'), text);
      assert.equal(readFileSync(onThisMachine(`${project}\\package.json`), 'utf8'), manifest);
    });
  }
});
