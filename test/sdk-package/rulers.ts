import { join } from 'node:path';
import { fromRegistry, run } from './folder.ts';

const PACKAGES = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];

/** What others check packages with, by name; each throws with its words where it is not content. */
export async function rulers(): Promise<
  Readonly<Record<string, (packed: string) => Promise<void>>>
> {
  const packages = await fromRegistry('rulers', PACKAGES);
  const program = (...path: readonly string[]) => join(packages, ...path);
  const judge = async (file: string, args: readonly string[], packed: string) => {
    await run(process.execPath, [file, ...args], packages, { NO_COLOR: '1', PACKED: packed });
  };
  return {
    'publint --strict': (packed) =>
      judge(program('publint', 'src', 'cli.js'), ['run', packed, '--strict'], packed),
    'are the types wrong': (packed) =>
      judge(program('@arethetypeswrong', 'cli', 'dist', 'index.js'), [packed], packed),
  };
}
