import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeTransport } from '../../../src/extension/http/nodeTransport.ts';
import { createSupervisor } from '../../../src/extension/service/supervisor.ts';

/** A window of the editor, as far as the service is concerned: a process of its own. */
const [folder = ''] = process.argv.slice(2);

const supervisor = createSupervisor({
  sharedFolder: folder,
  dataFolder: `${folder}/local`,
  bundle: fileURLToPath(new URL('../../../dist/server.js', import.meta.url)),
  transport: nodeTransport({ timeoutMs: 2_000 }),
  runtime: async () => ({ ok: true, runtime: { command: process.execPath, environment: {} } }),
  logLevel: () => 'warn',
  port: () => undefined,
  onState: (state) => process.stdout.write(`${JSON.stringify(state)}\n`),
  watchEveryMs: 100,
  askEveryMs: 200,
  answerWithinMs: 500,
  endWithinMs: 3_000,
});

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'start') supervisor.start().catch(() => undefined);
  if (line === 'stop') void supervisor.stop();
  if (line === 'close') void supervisor.dispose().then(() => process.exit(0));
});
