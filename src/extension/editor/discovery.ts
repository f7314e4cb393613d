import type { Disposable } from 'vscode';
import { DATA_FOLDER_VARIABLE } from '../../machine/index.ts';
import { type McpClient, startMcpClient, type ToolResult } from '../mcpClient/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import { notAllowed } from './notAllowed.ts';

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

/** How a server of tools is started. */
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

/** The server whose tools pay, from the key file that the user has allowed. @param ask asks a person */
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
        args: ['mcp', '--pay', '--key-file', agentKeyFile],
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
 * A server of tools that is started when it is first called, and again when what it is started with changes.
 * @param describe throws where nothing may be started
 * @param onAsk asks a person what the server asks
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
