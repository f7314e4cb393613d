import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Runs this bench with arguments in a new process, which shares no memory and no compiled code. */
export function inOwnProcess(args: readonly string[]): unknown {
  const node = ['--expose-gc', '--import', 'tsx', main, ...args];
  const output = execFileSync(process.execPath, node, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output);
}
