// All inputs of this example, from environment variables. Public testnet is the
// default, so the same files run there and on a local network.

const env = process.env;

/** Stellar RPC. The x402 client accepts `https://` only. */
export const rpcUrl = env.STELLAR_RPC_URL ?? 'https://soroban-testnet.stellar.org';

/** Address for test XLM; if unset, the RPC server returns it. */
export const friendbotUrl = env.FRIENDBOT_URL;

/** The x402 facilitator that verifies and settles for the seller. */
export const facilitatorUrl = env.FACILITATOR_URL;

/** The seller's account. If unset, the seller creates a new one at start. */
export const payTo = env.PAY_TO;

/** Where the seller listens; port 0 takes any free one. */
export const host = env.HOST ?? '127.0.0.1';
export const port = Number(env.PORT ?? 4022);

/** The seller's price for one request. */
export const price = env.PRICE ?? '$0.01';

/** The URL that the buyer pays for. */
export const resourceUrl = env.RESOURCE_URL ?? `http://127.0.0.1:${port}/weather/Lima`;

/** How much USDC the buyer buys on the DEX, and the maximum XLM that it pays for it. */
export const usdcToBuy = env.BUY_USDC ?? '1';
export const xlmAtMost = env.MAX_XLM ?? '1000';

/** The id of the test network, the only one this example pays on. */
export const network = 'stellar:testnet';

/** With `--json` each step is one line of JSON. */
export const json = process.argv.includes('--json');
