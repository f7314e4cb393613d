import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { service } from './service.ts';

export { service };

/** The command line loads this file for `service`; the editor starts it, for a service of its own. */
const startedByItself =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);

if (startedByItself) {
  void import('./runCli.ts').then(({ runCli }) =>
    runCli(
      ['dev', '--no-demo', '--no-restart', ...process.argv.slice(2)],
      async () => service,
      () => Promise.reject(new Error('the service speaks no MCP')),
    ),
  );
}
