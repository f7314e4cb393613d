import { keepCompiled } from './compiled/keepCompiled.ts';
import { growSlowly } from './memory/growSlowly.ts';
import { runCli } from './runCli.ts';

/** The editor starts this file to run its own service. */
growSlowly('dev');
void keepCompiled('dev').then(() =>
  runCli(
    ['dev', '--no-demo', '--no-restart', ...process.argv.slice(2)],
    async () => (await import('./service.ts')).service,
    () => Promise.reject(new Error('this entry point does not serve MCP')),
  ),
);
