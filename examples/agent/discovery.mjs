// Searches the catalog for the task as agents do: with the tools of an MCP server.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import { usdcContract } from './ledger.mjs';
import { facilitatorUrl, maxPrice, network, svcX402 } from './settings.mjs';
import { units } from './steps.mjs';

/**
 * Starts `svc-x402 mcp`, searches, and stops it.
 *
 * @param {string} query
 * @returns {Promise<{ tools: string[], resources: object[] }>}
 */
export async function search(query) {
  const client = new Client({ name: 'agent-example', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [svcX402, 'mcp'],
      env: { ...getDefaultEnvironment(), FACILITATOR_URL: facilitatorUrl },
    }),
  );
  try {
    const { tools } = await client.listTools();
    const answer = await client.callTool({
      name: 'x402_search_resources',
      arguments: { query, type: 'http', network, limit: 10 },
    });
    if (answer.isError) throw new Error(answer.content[0]?.text ?? 'The search failed.');
    return {
      tools: tools.map(({ name }) => name),
      resources: answer.structuredContent.resources,
    };
  } finally {
    await client.close();
  }
}

/**
 * Returns the first resource that can be paid for: with GET, in USDC, scheme exact, fees sponsored, within the price. Sellers'
 * own texts affect only the catalog's order here.
 */
export function choose(resources) {
  for (const entry of resources) {
    const option = entry.accepts.find(
      ({ scheme, network: on, asset, amount, extra }) =>
        scheme === 'exact' &&
        on === network &&
        asset === usdcContract &&
        extra?.areFeesSponsored === true &&
        BigInt(amount) <= units(maxPrice),
    );
    if (option && (entry.method ?? 'GET') === 'GET') return { entry, option };
  }
  return undefined;
}

/** A path parameter: `:name`, `{name}` or `[name]`. */
const PARAMETER = /\/(?::([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|\[([A-Za-z_]\w*)\])/g;

/**
 * Returns the URL with its parameters. A path parameter is the part of the task after its last "in", "for", "of" or "at", or
 * the value in the seller's example; the others are from the example.
 */
export function requestOf({ resource, extensions }, task) {
  const input = extensions?.bazaar?.info?.input ?? {};
  const said = /.*\b(?:in|for|of|at)\s+(.+?)[.?!]*$/i.exec(task)?.[1];
  const from = {};
  const fill = (_, ...groups) => {
    const name = groups.slice(0, 3).find((group) => group !== undefined);
    const value = said ?? input.pathParams?.[name];
    if (value === undefined) throw new Error(`The task does not say the ${name}.`);
    from[name] = said === undefined ? "the seller's example" : 'the task';
    return `/${encodeURIComponent(value)}`;
  };
  const url = new URL(resource.replace(PARAMETER, fill));
  if (!/^https?:$/.test(url.protocol)) throw new Error(`${url} is no web address.`);
  for (const [name, value] of Object.entries(input.queryParams ?? {})) {
    url.searchParams.set(name, `${value}`);
    from[name] = "the seller's example";
  }
  return { url: url.href, from };
}
