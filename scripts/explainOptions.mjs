// Imported by scripts: an option that a script does not know ends it with one line instead of a stack trace. Each script's first
// lines list its options.

import { relative } from 'node:path';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) process.on('uncaughtException', explain);

function explain(error) {
  if (String(error?.code).startsWith('ERR_PARSE_ARGS_')) {
    const [what] = error.message.split(/\. |\n/);
    const script = relative(process.cwd(), process.argv[1] ?? '');
    console.error(`${what}. The first lines of ${script} list its options.`);
    process.exit(2);
  }
  console.error(error);
  process.exit(1);
}
