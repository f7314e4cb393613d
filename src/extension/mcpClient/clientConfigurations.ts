import { later } from '../words/index.ts';

/** How other programs start the discovery server. */
export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A client whose configuration can be copied. */
export interface McpClientKind {
  readonly name: string;
  /** Where to put its configuration. */
  readonly where: string;
  readonly write: (server: McpCommand) => string;
}

const NAME = 'svc-x402';

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** One word for a POSIX shell, whatever the text contains. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const withServers = ({ command, args, environment }: McpCommand): string =>
  json({ mcpServers: { [NAME]: { command, args, env: environment } } });

/** Clients, with stdio servers configured as their documentation describes. */
export const MCP_CLIENTS: readonly McpClientKind[] = [
  {
    name: 'Claude Code',
    where: later('run it in a terminal in the project folder'),
    write: ({ command, args, environment }) =>
      `claude mcp add-json ${NAME} ${quoted(JSON.stringify({ type: 'stdio', command, args, env: environment }))}\n`,
  },
  { name: 'Claude Desktop', where: 'claude_desktop_config.json', write: withServers },
  { name: 'Cursor', where: '.cursor/mcp.json', write: withServers },
  {
    name: 'VS Code',
    where: '.vscode/mcp.json',
    write: ({ command, args, environment }) =>
      json({ servers: { [NAME]: { type: 'stdio', command, args, env: environment } } }),
  },
  { name: 'Windsurf', where: '~/.codeium/windsurf/mcp_config.json', write: withServers },
  {
    name: 'OpenAI Agents SDK',
    where: later('the params of MCPServerStdio'),
    write: ({ command, args, environment }) => json({ command, args, env: environment }),
  },
];
