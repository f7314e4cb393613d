// Our facilitator in a process of its own, with settings as JSON in SETTINGS. Prints its port.

import { startFacilitator } from '../../src/server/index.ts';

const { rpcUrl, sponsorSecret, channelSecrets } = JSON.parse(process.env['SETTINGS'] ?? '') as {
  rpcUrl: string;
  sponsorSecret: string;
  channelSecrets: string[];
};
const { port } = await startFacilitator({
  rpcUrl,
  sponsorSecret,
  channels: { secrets: channelSecrets },
  port: 0,
  // One machine plays all buyers here.
  rateLimitPerMinute: 0,
});
process.stdout.write(`${JSON.stringify({ port })}\n`);
