import { spawn } from 'node:child_process';
import { join } from 'node:path';
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
  runNode(['--import', 'tsx', '--import', explains, file, ...args]);
}

/**
 * @typedef {object} Program what a name stands for: a TypeScript file of the project, or a program in scripts/
 * @property {string} [source]
 * @property {() => Promise<void>} [prepare] preparations beside the packages, for a source
 * @property {string} [program]
 * @property {boolean} [importsSources] a program that imports TypeScript
 * @property {string} words
 */

/**
 * Runs what the first argument names with the other arguments, and ends with its status. Without a name, or with an unknown one,
 * prints what there is.
 *
 * @param {string} script the npm script that this is
 * @param {Readonly<Record<string, Program>>} programs
 * @param {string} [usual] what runs without a name
 */
export async function runNamed(script, programs, usual = '') {
  const given = process.argv.slice(2);
  const isNamed = given[0] !== undefined && !given[0].startsWith('-');
  const name = isNamed ? given[0] : usual;
  const args = isNamed ? given.slice(1) : given;
  const found = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (found === undefined) {
    if (name !== '') console.error(`npm run ${script} has no ${JSON.stringify(name)}.`);
    console.error(`usage: npm run ${script} -- NAME [ARGUMENT…]`);
    for (const [each, { words }] of Object.entries(programs)) {
      console.error(`  ${each.padEnd(12)} ${words}`);
    }
    process.exit(name === '' ? 0 : 2);
  }
  if (found.source !== undefined) return runSource(found.source, args, found.prepare);
  const imports = found.importsSources ? ['--import', 'tsx'] : [];
  return runNode([...imports, join(root, 'scripts', found.program ?? ''), ...args]);
}

function runNode(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('close', (code) => process.exit(code ?? 1));
}
