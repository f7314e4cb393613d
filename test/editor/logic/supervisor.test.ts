import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ServiceState } from '../../../src/extension/service/serviceState.ts';
import { isProcessAlive, type ServiceFile } from '../../../src/machine/index.ts';

const program = fileURLToPath(new URL('windowProcess.ts', import.meta.url));
const built = existsSync(new URL('../../../dist/server.js', import.meta.url));

class Window {
  readonly #child: ChildProcess;
  readonly #states: ServiceState[] = [];
  #wake: () => void = () => {};

  constructor(folder: string) {
    this.#child = spawn(process.execPath, ['--import', 'tsx', program, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
      // Ports of their own: tests run beside each other.
      env: { ...process.env, PORT: '0' },
    });
    const { stdout } = this.#child;
    assert.ok(stdout);
    createInterface({ input: stdout }).on('line', (line) => {
      this.#states.push(JSON.parse(line) as ServiceState);
      this.#wake();
    });
  }

  say(line: 'start' | 'stop' | 'close'): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** The next running service with another process than `not`. */
  async running(not = 0): Promise<{ service: ServiceFile; startedHere: boolean }> {
    for (;;) {
      const found = this.#states.find(
        (state) => state.kind === 'running' && state.service.pid !== not,
      );
      if (found?.kind === 'running') return found;
      await this.#next();
    }
  }

  /** How many states of this kind there were so far. */
  count(kind: ServiceState['kind']): number {
    return this.#states.filter((state) => state.kind === kind).length;
  }

  /** Waits until there were this many states of a kind. */
  async reached(kind: ServiceState['kind'], count: number): Promise<void> {
    while (this.count(kind) < count) await this.#next();
  }

  /** What went wrong so far, a line each. */
  get failures(): string {
    return this.#states.flatMap((state) => ('message' in state ? [state.message] : [])).join('\n');
  }

  #next(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no state in time')), 40_000);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  get ended(): Promise<unknown> {
    return new Promise((resolve) => this.#child.once('close', resolve));
  }
}

async function gone(pid: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (!isProcessAlive(pid, process.kill)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`process ${pid} is still running`);
}

describe('one local service for all windows', {
  skip: built ? false : 'dist/server.js is not built: run npm run build',
}, () => {
  let folder = '';
  let windows: Window[] = [];
  const open = (profile = folder) => {
    const window = new Window(profile);
    windows.push(window);
    window.say('start');
    return window;
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'windows-'));
    windows = [];
  });
  afterEach(async () => {
    for (const window of windows) window.kill();
    const text = await readFile(join(folder, 'local/service.json'), 'utf8').catch(() => '');
    if (text !== '') await gone((JSON.parse(text) as ServiceFile).pid);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('the first starts it, others attach, and the last to close stops it', async () => {
    const [first, second] = [open(), open()];
    const [one, two] = await Promise.all([first.running(), second.running()]);
    assert.equal(one.service.pid, two.service.pid);
    assert.deepEqual([one.startedHere, two.startedHere].sort(), [false, true]);
    const lock = JSON.parse(await readFile(join(folder, 'service.lock'), 'utf8')) as object;
    const port = Number(new URL(one.service.facilitatorUrl ?? '').port);
    assert.deepEqual(
      { ...lock, since: 0 },
      { pid: one.service.pid, port, token: one.service.token, since: 0 },
    );

    const firstEnded = first.ended;
    first.say('close');
    await firstEnded;
    assert.ok(isProcessAlive(one.service.pid, process.kill));
    const secondEnded = second.ended;
    second.say('close');
    await secondEnded;
    await gone(one.service.pid);
    assert.equal(existsSync(join(folder, 'service.lock')), false);
  });

  it('if it dies, it is restarted once for all windows', async () => {
    const [first, second] = [open(), open()];
    const { service } = await first.running();
    await second.running();
    process.kill(service.pid, 'SIGKILL');
    const [one, two] = await Promise.all([first.running(service.pid), second.running(service.pid)]);
    assert.equal(one.service.pid, two.service.pid);
  });

  it('windows that crash leave no service behind', async () => {
    const window = open();
    const { service } = await window.running();
    window.kill();
    await gone(service.pid);
  });

  it('E3: it keeps its port at each start, even a fallback port', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => {
      // Taken already: another program has it, which serves as well.
      squatter.once('error', () => resolve()).listen(4021, '127.0.0.1', () => resolve());
    });
    const ports: string[] = [];
    for (let starts = 0; starts < 2; starts += 1) {
      const window = open();
      const { service } = await window.running();
      ports.push(`${service.facilitatorUrl} ${service.network.rpcUrl}`);
      const { ended } = window;
      window.say('close');
      await ended;
      await gone(service.pid);
      squatter.close();
    }
    assert.doesNotMatch(ports[0] ?? '', /:4021\b/);
    assert.equal(ports[0], ports[1]);
  });

  it('two profiles that start at once each have a service, on separate ports', async () => {
    const opened = ['one', 'two'].map((profile) => open(join(folder, profile)));
    const running = await Promise.all(opened.map((window) => window.running()));
    assert.ok(running.every(({ startedHere }) => startedHere));
    const used = running.flatMap(({ service }) => [service.facilitatorUrl, service.network.rpcUrl]);
    assert.equal(new Set(used).size, 4, used.join());
    const ended = opened.map((window) => window.ended);
    for (const window of opened) window.say('close');
    await Promise.all(ended);
    for (const { service } of running) await gone(service.pid);
    // Each remembers what it got, for the next start.
    for (const [index, profile] of ['one', 'two'].entries()) {
      const remembered = await readFile(join(folder, profile, 'local/ports.json'), 'utf8');
      const port = Number(new URL(running[index]?.service.facilitatorUrl ?? '').port);
      assert.deepEqual((JSON.parse(remembered) as { facilitator: number[] }).facilitator, [port]);
    }
  });

  it('a start that is called off at once leaves no service, and the next start succeeds', async () => {
    const window = open();
    // Each stop meets the start at another step: the permission, the process, its first answer.
    for (const afterMs of [0, 60, 150, 300, 500]) {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      window.say('stop');
      window.say('start');
    }
    const { service } = await window.running();
    assert.equal(window.failures, '');
    const { ended } = window;
    window.say('close');
    await ended;
    await gone(service.pid);
    const log = await readFile(join(folder, 'service.log'), 'utf8');
    assert.doesNotMatch(log, /in use/);
  });

  it('[finding: E4] a service that hangs is stopped and started again', {
    skip: process.platform === 'win32' ? 'no signal stops a process there' : false,
  }, async () => {
    const window = open();
    const { service } = await window.running();
    process.kill(service.pid, 'SIGSTOP');
    try {
      window.say('stop');
      window.say('start');
      const again = await window.running(service.pid);
      await gone(service.pid);
      assert.ok(again.startedHere);
      assert.equal(window.failures, '');
    } finally {
      // A stopped process would outlive a failure, and keep its ports.
      if (isProcessAlive(service.pid, process.kill)) process.kill(service.pid, 'SIGKILL');
    }
  });

  it('[finding: E4] a service that hangs is shown as not responding, and as running once it responds again', {
    skip: process.platform === 'win32' ? 'no signal stops a process there' : false,
  }, async () => {
    const [starter, other] = [open(), open()];
    const { service } = await starter.running();
    await other.running();
    process.kill(service.pid, 'SIGSTOP');
    try {
      await Promise.all([starter.reached('unresponsive', 1), other.reached('unresponsive', 1)]);
      process.kill(service.pid, 'SIGCONT');
      await Promise.all([starter.reached('running', 2), other.reached('running', 2)]);
      assert.equal((await starter.running()).service.pid, service.pid);
      process.kill(service.pid, 'SIGSTOP');
      await starter.reached('unresponsive', 2);
      // "Restart" in the other window: SIGTERM, then SIGKILL, and the folder is free.
      other.say('stop');
      other.say('start');
      const again = await other.running(service.pid);
      await gone(service.pid);
      assert.ok(again.startedHere);
    } finally {
      if (isProcessAlive(service.pid, process.kill)) process.kill(service.pid, 'SIGKILL');
    }
  });

  it('leftovers of a crash are cleaned up', async () => {
    const dead = spawn(process.execPath, ['-e', '0']);
    await new Promise((resolve) => dead.once('close', resolve));
    const left = { pid: dead.pid, port: 4021, token: 'old', since: Date.now() };
    await writeFile(join(folder, 'service.lock'), JSON.stringify(left));
    const { startedHere } = await open().running();
    assert.equal(startedHere, true);
  });
});
