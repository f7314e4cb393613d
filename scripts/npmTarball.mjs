import { renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, run } from './prepare.mjs';

/**
 * Packs a folder that contains a package, and prints its files and the size of the tarball.
 * @param {string} folder
 * @param {string} out path of the tarball
 */
export async function packFolder(folder, out) {
  const told = await run('npm', ['pack', '--json', '--pack-destination', join(root, 'build')], {
    cwd: folder,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(told);
  const made = join(root, 'build', packed.filename);
  if (made !== out) renameSync(made, out);
  for (const { path, size } of packed.files) console.log(`${String(size).padStart(9)}  ${path}`);
  const kilobytes = (packed.size / 1_000).toFixed(1);
  console.log(`${relative(root, out)}  ${packed.files.length} files  ${kilobytes} kB`);
}
