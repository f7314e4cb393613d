import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The Python that runs the client of the published package `mcp`; another can be named. */
export const python = process.env['PYTHON'] ?? 'python3';
/** Why there is no client in Python; `false` where there is one. */
export const withoutPython =
  spawnSync(python, ['-c', 'import mcp'], { stdio: 'ignore' }).status === 0
    ? false
    : `${python} has no package mcp: name another interpreter with PYTHON`;

/** How an agent's server of tools is started. */
interface Server {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An agent whose tools are called one after the other. */
export interface AgentClient {
  call(name: string, values: object): Promise<CallToolResult>;
  close(): Promise<void>;
}

const cli = path('../../dist/cli.js');

/** An agent on the official TypeScript client. */
export async function typeScriptClient({ args, env }: Server): Promise<AgentClient> {
  const client = new Client({ name: 'test', version: '1' });
  const command = { command: process.execPath, args: [cli, ...args], env: { ...env } };
  await client.connect(new StdioClientTransport({ ...command, stderr: 'pipe' }));
  return {
    call: async (name, values) =>
      (await client.callTool({ name, arguments: { ...values } })) as CallToolResult,
    close: () => client.close(),
  };
}

/** An agent on the official Python client. The network is in this process: nothing here may block it. */
export async function pythonClient({ args, env }: Server): Promise<AgentClient> {
  const child = spawn(python, [path('pythonClient.py'), '--lines']);
  const ended = once(child, 'close');
  const errors = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const write = (value: object) => child.stdin.write(`${JSON.stringify(value)}\n`);
  write({ command: process.execPath, args: [cli, ...args], env });
  return {
    async call(name, values) {
      write({ name, arguments: values });
      const line = await lines.next();
      if (line.done) throw new Error(`the Python client ended: ${await errors}`);
      return JSON.parse(line.value) as CallToolResult;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
