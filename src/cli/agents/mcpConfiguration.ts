import { join } from 'node:path';
import { DATA_FOLDER_VARIABLE } from '../../machine/index.ts';
import { packageRoot } from '../packageRoot.ts';

/** How a client of MCP starts the tools that pay: a program by its path, because a name is looked up wherever the client runs. */
interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Returns how to start this installation's tools with an agent's key. */
export function payingTools(keyFile: string, dataFolder: string): McpServer {
  const program = join(packageRoot().folder, 'dist', 'cli.js');
  return {
    command: process.execPath,
    args: [program, 'mcp', '--pay', '--key-file', keyFile],
    env: { [DATA_FOLDER_VARIABLE]: dataFolder },
  };
}

/** The configuration of each client as text to paste, complete. */
export function configurations(server: McpServer): string {
  const shown = (value: unknown) => JSON.stringify(value, undefined, 2);
  return [
    'Claude Desktop (claude_desktop_config.json) and Cursor (.cursor/mcp.json):',
    shown({ mcpServers: { 'svc-x402': server } }),
    'VS Code (.vscode/mcp.json):',
    shown({ servers: { 'svc-x402': { type: 'stdio', ...server } } }),
    'OpenAI Agents SDK (the params of MCPServerStdio):',
    shown(server),
  ].join('\n');
}
