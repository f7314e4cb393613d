// Packs the extension for all platforms: builds, makes one .vsix, and checks its contents.
// usage: node scripts/package.mjs [OUT.vsix]

import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { extensionReadme } from './extensionReadme.mjs';
import { buildIfStale, install, root, run } from './prepare.mjs';

const tools = join(root, 'test', 'editor');
/** In units of 1,000,000 bytes. */
const most = 11;

/** Files allowed in a .vsix. */
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package(\.nls(\.\w+)?)?\.json|readme\.md|changelog\.md|LICENSE\.txt|NOTICE)$/i,
  /^extension\/dist\/[\w.-]+\.(js|wasm|bin|LEGAL\.txt)$/,
  /^extension\/dist\/contracts\/[\w./-]+$/,
  /^extension\/l10n\/bundle\.l10n(\.\w+)?\.json$/,
  /^extension\/media\/[\w./-]+$/,
  /^extension\/skills\/[\w-]+\/[\w.-]+$/,
];
const needed = [
  ...[
    'extension.js',
    'payments.js',
    'tools.js',
    'budgets.js',
    'ports.js',
    'servers.js',
    'policies.js',
    'codegen.js',
    'server.js',
    'service.js',
    'mcp.js',
    'cli.js',
    'schema-worker.js',
    'simulation-worker.js',
  ],
  ...['ledger-host-27.wasm', 'node-sqlite3-wasm.wasm', 'search-words.bin'],
];
/** Stellar secret keys, and private keys in PEM. */
const secret = /\bS[A-Z2-7]{55}\b|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const { version, contributes, repository } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const out = resolve(process.argv[2] ?? join(root, 'build', `svc-x402-${version}.vsix`));

await install(root, tools);
// A fresh clone has it only now.
const { default: picomatch } = await import('picomatch');
await buildIfStale();
const folder = copyOfExtension();
const page = readFileSync(join(root, 'src', 'extension', 'README.md'), 'utf8');
writeFileSync(join(folder, 'README.md'), extensionReadme(page, repository?.url));
await run(
  process.execPath,
  [
    join(tools, 'node_modules', '@vscode', 'vsce', 'vsce'),
    ...['package', '--no-dependencies', '--allow-missing-repository'],
    ...['--no-rewrite-relative-links', '--out', out],
  ],
  { cwd: folder },
);

const entries = readZip(readFileSync(out));
const problems = [];
for (const { name, size, packed, text } of entries) {
  console.log(`${String(size).padStart(9)} ${String(packed).padStart(9)}  ${name}`);
  if (!allowed.some((pattern) => pattern.test(name))) problems.push(`${name} does not belong`);
  const found = /\.(wasm|png|bin)$/.test(name) ? null : secret.exec(text());
  if (found) problems.push(`${name} holds what looks like a secret`);
}
for (const name of needed) {
  if (!entries.some((entry) => entry.name === `extension/dist/${name}`)) {
    problems.push(`dist/${name} is missing`);
  }
}
for (const { path } of contributes.chatSkills) {
  const name = `extension/${path.replace(/^\.\//, '')}`;
  if (!entries.some((entry) => entry.name === name)) problems.push(`the skill ${path} is missing`);
}
for (const name of ['package.nls.json', 'package.nls.de.json', 'l10n/bundle.l10n.de.json']) {
  if (!entries.some((entry) => entry.name === `extension/${name}`)) {
    problems.push(`${name} is missing`);
  }
}
const shown = entries.find(({ name }) => /^extension\/readme\.md$/i.test(name))?.text() ?? '';
if (!shown.includes('## Start here')) problems.push('the page of the extension is not its own');
const size = statSync(out).size / 1e6;
if (size > most) problems.push(`${size.toFixed(2)} MB is over ${most} MB`);
console.log(`${relative(root, out)}  ${entries.length} files  ${size.toFixed(2)} MB of ${most} MB`);
for (const problem of problems) console.error(`FAILED  ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);

/**
 * Copies the files that .vscodeignore lists, and returns the folder. The packer looks at each file of its folder, and beside the
 * project's own there can be half a million: packages, editors, compiled code.
 */
function copyOfExtension() {
  const folder = join(root, 'build', 'extension');
  rmSync(folder, { recursive: true, force: true });
  const listed = readFileSync(join(root, '.vscodeignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const isListed = picomatch(listed);
  const tops = new Set(listed.map((pattern) => pattern.split('/')[0]));
  for (const top of readdirSync(root)) {
    if (![...tops].some((pattern) => picomatch.isMatch(top, pattern))) continue;
    const names = statSync(join(root, top)).isDirectory()
      ? readdirSync(join(root, top), { recursive: true }).map((name) => join(top, name))
      : [top];
    for (const name of names) {
      if (!isListed(name.split(sep).join('/')) || statSync(join(root, name)).isDirectory())
        continue;
      cpSync(join(root, name), join(folder, name), { preserveTimestamps: true });
    }
  }
  return folder;
}

/** The entries of a zip file, from its central directory. */
function readZip(bytes) {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const found = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const nameLength = bytes.readUInt16LE(at + 28);
    const header = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const data = bytes.subarray(start, start + packed);
    found.push({
      name,
      size: bytes.readUInt32LE(at + 24),
      packed,
      text: () => (method === 8 ? inflateRawSync(data) : data).toString('utf8'),
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return found;
}
