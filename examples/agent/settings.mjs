// All inputs of this example: the task, and environment variables.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const env = process.env;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});

/** With `--json` each step is one line of JSON. */
export const { json } = values;

/** The agent's task, such as "current weather in Nairobi". */
export const task = positionals.join(' ').trim();

/** The id of the test network, the only one this example pays on. */
export const network = 'stellar:testnet';

/** Reads the running service of this machine from its file; undefined if none is running. */
function localService() {
  const folder = env.SVC_X402_DATA_DIR ?? join(homedir(), '.svc-x402');
  try {
    return JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8'));
  } catch {
    return undefined;
  }
}
const service = localService();

/** The facilitator, whose catalog and policy gateway are used. */
export const facilitatorUrl = env.FACILITATOR_URL ?? service?.facilitatorUrl;
export const gatewayUrl = env.GATEWAY_URL ?? facilitatorUrl;
/** Stellar RPC of the network that the facilitator settles on. */
export const rpcUrl = env.STELLAR_RPC_URL ?? service?.network.rpcUrl;
/** Address for test XLM; if unset, the RPC server returns it. */
export const friendbotUrl = env.FRIENDBOT_URL ?? service?.network.friendbotUrl;

// An app that has installed svc-x402 finds these there: its program, and its dist folder.
export const svcX402 = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
export const accountModule = new URL('../../dist/contracts/smart-account.wasm', import.meta.url);

/** The wallet's funding in USDC, and the maximum that the agent can spend from it in a day. */
export const funding = env.FUNDING ?? '0.1';
export const cap = env.CAP ?? '0.045';
/** The agent's own limits: for one request, for its first session, and for its second. */
export const maxPrice = env.MAX_PRICE ?? '0.02';
export const sessionCeilings = (env.SESSION_CEILINGS ?? '0.02 1').split(' ');
