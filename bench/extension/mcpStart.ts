import { spawn } from 'node:child_process';
import { once } from 'node:events';

const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
];

/** Milliseconds from the start of the discovery server to its list of tools. */
export async function mcpStart(bundle: string): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [bundle], { stdio: ['pipe', 'pipe', 'ignore'] });
  for (const message of MESSAGES) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  while (!output.includes('"id":2')) await once(child.stdout, 'data');
  const taken = performance.now() - begun;
  child.stdin.end();
  await once(child, 'close');
  return taken;
}
