import {
  type McpConfig,
  type Otherwise,
  plainPath,
  plainTerms,
  readAmount,
  readUrl,
  type Terms,
} from '../../proxy/index.ts';
import { CliError } from '../cliError.ts';
import type { ProxyCommand } from '../commandOptions.ts';

/**
 * The MCP server that the options name, with the prices of its tools; `undefined` without one.
 * @throws CliError if one of them is malformed
 */
export function mcpIn({
  mcp: command,
  mcpHttp,
  tool = [],
  price,
  settle,
}: ProxyCommand): McpConfig | undefined {
  if (command === undefined && mcpHttp === undefined) {
    if (tool.length === 0) return undefined;
    throw new CliError('usage', '--tool is for an MCP server. Name it with --mcp or --mcp-http.');
  }
  const tools = new Map<string, Terms | undefined>();
  for (const text of tool) {
    const at = text.lastIndexOf('=');
    const name = text.slice(0, at);
    if (at <= 0) {
      throw new CliError('usage', `${text} has no price. Use --tool search=0.01, or search=free.`);
    }
    if (tools.has(name)) throw new CliError('usage', `${name} has two prices. Name it once.`);
    tools.set(name, termsOf(text.slice(at + 1), settle));
  }
  const others = price === undefined ? 'closed' : termsOf(price, settle);
  const otherwise: Otherwise = others ?? 'free';
  if (otherwise === 'closed' && tools.size === 0) {
    throw new CliError(
      'usage',
      'Nothing would be sold. Name tools with --tool search=0.01, or the price of all with --price.',
    );
  }
  if (mcpHttp === undefined) {
    const upstream = { kind: 'stdio', command: command ?? '' } as const;
    return { upstream, path: '/mcp', tools, otherwise };
  }
  const url = readUrl(mcpHttp);
  if (url === undefined) {
    throw new CliError(
      'usage',
      `${mcpHttp} is not the URL of an MCP server. Use one such as http://127.0.0.1:9000/mcp.`,
    );
  }
  return { upstream: { kind: 'http', url }, path: plainPath(url.pathname), tools, otherwise };
}

function termsOf(text: string, settle: ProxyCommand['settle']): Terms | undefined {
  if (text.trim() === 'free') return undefined;
  const amount = readAmount(text);
  if (amount !== undefined) return plainTerms({ kind: 'fixed', amount }, { settle });
  throw new CliError(
    'usage',
    `${text} is not a price. Use an amount in USDC such as 0.01, or free.`,
  );
}
