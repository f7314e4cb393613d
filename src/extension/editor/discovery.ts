import type { Disposable } from 'vscode';
import { DATA_FOLDER_VARIABLE } from '../../machine/index.ts';
import { type McpClient, startMcpClient, type ToolResult } from '../mcpClient/index.ts';
import type { App } from './app.ts';

/** The discovery server: started at the first request, and again when it died or its address changed. */
export interface Discovery extends Disposable {
  call(name: string, args: object, signal?: AbortSignal): Promise<ToolResult>;
}

/** The environment from which the discovery server learns where the catalog is. */
export function discoveryEnvironment(app: App): Record<string, string> {
  const { facilitatorUrl } = app.settings;
  return {
    [DATA_FOLDER_VARIABLE]: app.dataFolder(),
    ...(facilitatorUrl === undefined ? {} : { FACILITATOR_URL: facilitatorUrl }),
  };
}

export function createDiscovery(app: App): Discovery {
  let client: Promise<McpClient> | undefined;
  let startedWith = '';

  function close(): void {
    void client?.then((open) => open.close()).catch(() => undefined);
    client = undefined;
  }

  async function start(environment: Record<string, string>): Promise<McpClient> {
    const choice = await app.runtime();
    if (!choice.ok) throw new Error(choice.message);
    const mine = startMcpClient({
      runtime: choice.runtime,
      bundle: app.bundle('mcp'),
      version: String(app.context.extension.packageJSON.version),
      environment,
      onLog: (line) => app.log.info(`discovery: ${line}`),
      onClosed: () => {
        client = undefined;
      },
    });
    return mine;
  }

  return {
    async call(name, args, signal) {
      if (!app.trusted) throw new Error('Nothing is started in an untrusted workspace.');
      const environment = discoveryEnvironment(app);
      const key = JSON.stringify(environment);
      if (client !== undefined && key !== startedWith) close();
      startedWith = key;
      client ??= start(environment);
      const open = await client.catch((error: unknown) => {
        client = undefined;
        throw error;
      });
      return open.callTool(name, args, signal);
    },
    dispose: close,
  };
}
