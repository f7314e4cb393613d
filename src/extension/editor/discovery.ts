import type { Disposable } from 'vscode';
import { DATA_FOLDER_VARIABLE } from '../../machine/index.ts';
import { type McpClient, startMcpClient, type ToolResult } from '../mcpClient/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import { notAllowed } from './notAllowed.ts';

/** The discovery server. It is started at the first request, and restarted if it exits or its address changes. */
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

/** How a tool server is started. */
interface ToolServer {
  readonly bundle: 'mcp' | 'cli';
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export function createDiscovery(app: App): Discovery {
  return createToolServer(app, () => ({
    bundle: 'mcp',
    args: [],
    environment: discoveryEnvironment(app),
  }));
}

/** The server whose tools pay with the key file that the user allowed. @param ask asks the user */
export function createPayingServer(
  app: App,
  ask: (question: string) => Promise<boolean>,
): Discovery {
  return createToolServer(
    app,
    () => {
      const { agentKeyFile, network } = app.settings;
      if (agentKeyFile === undefined) throw notAllowed('pay');
      const { rpcUrl } = app.addresses;
      return {
        bundle: 'cli',
        // Language model tools of the editor return text alone.
        args: ['mcp', '--pay', '--text-only', '--key-file', agentKeyFile],
        environment: {
          ...discoveryEnvironment(app),
          ...(network === 'testnet' && rpcUrl !== undefined ? { STELLAR_RPC_URL: rpcUrl } : {}),
        },
      };
    },
    ask,
  );
}

/**
 * A tool server that is started when first called, and restarted when its start options change.
 * @param describe throws if nothing may be started
 * @param onAsk passes the server's questions to the user
 */
function createToolServer(
  app: App,
  describe: () => ToolServer,
  onAsk?: (question: string) => Promise<boolean>,
): Discovery {
  let client: Promise<McpClient> | undefined;
  let startedWith = '';

  function close(): void {
    void client?.then((open) => open.close()).catch(() => undefined);
    client = undefined;
  }

  async function start({ bundle, args, environment }: ToolServer): Promise<McpClient> {
    const choice = await app.runtime();
    if (!choice.ok) throw new Error(choice.message);
    const mine: Promise<McpClient> = startMcpClient({
      runtime: choice.runtime,
      bundle: app.bundle(bundle),
      args,
      version: String(app.context.extension.packageJSON.version),
      environment,
      onLog: (line) => app.log.info(`discovery: ${line}`),
      onClosed: () => {
        client = undefined;
      },
      ...(onAsk && { onAsk }),
    });
    return mine;
  }

  return {
    async call(name, args, signal) {
      if (!app.trusted) throw new Error(t("Svc doesn't start anything in an untrusted workspace."));
      const server = describe();
      const key = JSON.stringify(server);
      if (client !== undefined && key !== startedWith) close();
      startedWith = key;
      client ??= start(server);
      const open = await client.catch((error: unknown) => {
        client = undefined;
        throw error;
      });
      return open.callTool(name, args, signal);
    },
    dispose: close,
  };
}
