// Our facilitator in its own process, with settings as JSON in SETTINGS. Prints its port.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFacilitator } from '../../src/server/index.ts';

const { rpcUrl, sponsorSecret, channelSecrets } = JSON.parse(process.env['SETTINGS'] ?? '') as {
  rpcUrl: string;
  sponsorSecret: string;
  channelSecrets: string[];
};
// With its journal on disk, as operators run it.
const dataFolder = mkdtempSync(join(tmpdir(), 'svc-x402-bench-'));
process.once('SIGTERM', () => process.exit());
process.on('exit', () => rmSync(dataFolder, { recursive: true, force: true }));
startFacilitator({
  rpcUrl,
  sponsorSecret,
  channels: { secrets: channelSecrets },
  port: 0,
  dataFolder,
  // One machine acts as all buyers here.
  rateLimitPerMinute: 0,
}).then(
  ({ port }) => process.stdout.write(`${JSON.stringify({ port })}\n`),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
