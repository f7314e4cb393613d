// `npm run release`: builds the .vsix, the two npm packages and the bill of materials of a commit from clean clones,
// reproducibly. Writes them to build/release with their SHA-256.
// usage: node scripts/release.mjs [--out FOLDER] [--once] [--commit REVISION]
// It builds in two clones in different places and compares them; --once skips the second.

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import './explainOptions.mjs';
import { requireNode, root, run } from './prepare.mjs';

/** Package folders that the second clone copies from the first: the lock files determine them exactly. */
const INSTALLED = ['node_modules', 'test/editor/node_modules'];

requireNode();
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'build', 'release') },
    commit: { type: 'string', default: 'HEAD' },
    once: { type: 'boolean', default: false },
  },
});
const out = resolve(values.out);
const commit = (await run('git', ['rev-parse', values.commit])).trim();
// All packed files get the commit's time.
const time = (await run('git', ['show', '--no-patch', '--format=%ct', commit])).trim();
const work = mkdtempSync(join(tmpdir(), 'svc-x402-release-'));

try {
  const first = await buildIn(join(work, 'first'));
  if (!values.once) {
    const other = await buildIn(join(work, 'at', 'another', 'place'), join(work, 'first'));
    const differing = [...first].filter(([name, { sum }]) => other.get(name)?.sum !== sum);
    for (const [name] of differing) console.error(`FAILED  ${name} differs between two clones`);
    if (differing.length > 0) process.exitCode = 1;
    else console.log(`the same bytes from two clones of ${commit.slice(0, 12)}`);
  }
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, { path }] of first) copyFileSync(path, join(out, name));
  const sums = [...first].map(([name, { sum }]) => `${sum}  ${name}\n`).join('');
  writeFileSync(join(out, 'SHA256SUMS'), sums);
  process.stdout.write(sums);
  console.log(`in ${relative(process.cwd(), out) || '.'}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Clones the commit, builds its release, and returns each file's path and SHA-256. */
async function buildIn(folder, packagesOf) {
  mkdirSync(folder, { recursive: true });
  await run('git', ['clone', '--quiet', '--no-hardlinks', root, folder]);
  await run('git', ['checkout', '--quiet', commit], { cwd: folder });
  for (const path of packagesOf === undefined ? [] : INSTALLED) {
    if (existsSync(join(packagesOf, path)))
      cpSync(join(packagesOf, path), join(folder, path), {
        recursive: true,
        verbatimSymlinks: true,
      });
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const made = join(folder, 'build', 'made');
  mkdirSync(made, { recursive: true });
  const env = { ...process.env, SOURCE_DATE_EPOCH: time, TZ: 'UTC' };
  const script = (name, ...args) =>
    run(process.execPath, [join('scripts', name), ...args], { cwd: folder, env });
  await script('package.mjs', join(made, `svc-x402-${version}.vsix`));
  await script('packNpm.mjs', join(made, `svc-x402-${version}.tgz`));
  await script('packSdk.mjs', join(made, `svc-x402-sdk-${version}.tgz`));
  await script('licences.mjs');
  copyFileSync(join(folder, 'build', 'sbom.cdx.json'), join(made, `svc-x402-${version}.cdx.json`));
  const files = readdirSync(made).sort();
  return new Map(
    files.map((name) => {
      const path = join(made, name);
      return [name, { path, sum: createHash('sha256').update(readFileSync(path)).digest('hex') }];
    }),
  );
}
