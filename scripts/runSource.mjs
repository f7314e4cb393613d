import { spawn } from 'node:child_process';
import { install, requireNode, root } from './prepare.mjs';

/**
 * Runs a TypeScript file of the project with these arguments, and exits with its status.
 *
 * @param {string} file relative to the root
 * @param {string[]} args
 * @param {() => Promise<void>} [prepare] other preparations
 */
export async function runSource(file, args, prepare = async () => {}) {
  requireNode();
  try {
    await install(root);
    await prepare();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  const explains = new URL('explainOptions.mjs', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', 'tsx', '--import', explains, file, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  child.on('close', (code) => process.exit(code ?? 1));
}
