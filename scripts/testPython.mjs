// `npm run lab -- python`: runs the tests with clients in Python, on the packages that their requirements.txt pins, which it installs
// into virtual environments in build/python. Without it those tests are skipped where Python does not have the packages.
// usage: npm run lab -- python   (PYTHON: the interpreter that makes the environments, by default python3)

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, install, requireNode, root, run } from './prepare.mjs';
import { waiting } from './waiting.mjs';

/** What an agent of the package `mcp` tests, a seller and a buyer of the package `x402`, and the checks of `x402-conformance`. */
const SUITES = [
  {
    name: 'mcp',
    requirements: 'test/mcp/requirements.txt',
    tests: ['test/mcp/pythonClient.test.ts', 'test/mcp/budgetHolds.test.ts'],
  },
  {
    name: 'x402',
    requirements: 'examples/python-api/requirements.txt',
    tests: ['test/examples/pythonApi.test.ts'],
  },
  {
    name: 'x402conf',
    requirements: 'test/x402conf/requirements.txt',
    tests: ['test/x402conf/paymentChecks.test.ts'],
  },
];

requireNode();
try {
  await install(root);
  await buildIfStale();
  for (const { name, requirements, tests } of SUITES) {
    const python = await environment(name, requirements).catch((error) => {
      // A machine without Python, or without its package index, says so; the tests are not counted as passed.
      console.log(`not run: ${tests.join(', ')}: ${error.message.trim().split('\n').at(-1)}`);
    });
    if (python === undefined) continue;
    const code = await test(python, tests);
    if (code !== 0) process.exit(code);
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/**
 * Returns the interpreter of a virtual environment that has these packages. An environment with other packages is made again.
 *
 * @param {string} name
 * @param {string} requirements path of the file
 */
async function environment(name, requirements) {
  const folder = join(root, 'build', 'python', name);
  const windows = process.platform === 'win32';
  const python = join(folder, windows ? 'Scripts/python.exe' : 'bin/python');
  const note = join(folder, 'installed.txt');
  const wanted = readFileSync(join(root, requirements), 'utf8');
  if (existsSync(note) && readFileSync(note, 'utf8') === wanted) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(root, 'build', 'python'), { recursive: true });
  await waiting(`installing ${requirements}`, async () => {
    await run(process.env.PYTHON ?? 'python3', ['-m', 'venv', folder]);
    const options = ['--quiet', '--disable-pip-version-check', '--no-input'];
    await run(python, ['-m', 'pip', 'install', ...options, '-r', requirements]);
  });
  writeFileSync(note, wanted);
  return python;
}

/**
 * @param {string} python
 * @param {string[]} tests
 */
function test(python, tests) {
  const child = spawn(process.execPath, [join('scripts', 'runTests.mjs'), ...tests], {
    cwd: root,
    env: { ...process.env, PYTHON: python },
    stdio: 'inherit',
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
  });
}
