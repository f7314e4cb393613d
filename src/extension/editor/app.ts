import { join } from 'node:path';
import {
  type Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  LogLevel,
  type LogOutputChannel,
  type Uri,
  window,
  workspace,
} from 'vscode';
import type { ServiceFile } from '../../machine/index.ts';
import type { HttpTransport } from '../../sdk/exact/httpTransport.ts';
import { openJournal, type PaymentJournal } from '../earnings/paymentJournal.ts';
import { nodeTransport } from '../http/nodeTransport.ts';
import { followLog, type LogTail } from '../service/logTail.ts';
import { chooseRuntime, type RuntimeChoice } from '../service/nodeRuntime.ts';
import type { ServiceState } from '../service/serviceState.ts';
import { createSupervisor, type Supervisor, serviceLogFile } from '../service/supervisor.ts';
import { versionOf } from '../service/versionOf.ts';
import { type NetworkAddresses, networkAddresses } from '../settings/networkAddresses.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { logServiceLine } from './serviceLog.ts';

/** What all commands and views share. */
export interface App {
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
  readonly settings: Settings;
  /** The settings as they count for a file: folders of a workspace may have their own. */
  settingsFor(file: Uri): Settings;
  readonly addresses: NetworkAddresses;
  readonly service: ServiceState;
  readonly transport: HttpTransport;
  readonly journal: PaymentJournal;
  /** Settings, service or trust changed: what is shown may be out of date. */
  readonly onChange: Event<void>;
  /** A settlement was made here: views read again. */
  readonly onPaid: Event<void>;
  paid(): void;
  runtime(): Promise<RuntimeChoice>;
  bundle(name: 'server' | 'mcp'): string;
  /** The data folder of the local service. */
  dataFolder(): string;
  /** Starts what the chosen network needs; resolves when it answers. */
  startService(): Promise<ServiceFile | undefined>;
  stopService(): Promise<void>;
  /** Starts nothing in Restricted Mode. */
  readonly trusted: boolean;
  dispose(): Promise<void>;
}

const SECTION = 'svc-x402';
const JOURNAL = 'journal';
const LOOK_AGAIN_MS = [0, 1_500, 6_000];

/** A start was asked for where nothing may be started. */
export class NotTrusted extends Error {
  constructor() {
    super('This workspace is not trusted: Svc starts nothing in it.');
  }
}

export function createApp(context: ExtensionContext): App {
  const log = window.createOutputChannel('Svc x402', { log: true });
  const changes = new EventEmitter<void>();
  const payments = new EventEmitter<void>();
  const shared = context.globalStorageUri.fsPath;
  const disposables: Disposable[] = [log, changes, payments];
  let settings = readNow();
  let supervisor = supervise();
  let transport = transportNow();
  let tail: LogTail | undefined;

  function readNow(file?: Uri): Settings {
    const configuration = workspace.getConfiguration(SECTION, file);
    return readSettings((name) => configuration.get(name));
  }

  function dataFolder(): string {
    return settings.dataFolder ?? join(shared, 'local');
  }

  function runtime(): Promise<RuntimeChoice> {
    return chooseRuntime({
      editorPath: process.execPath,
      editorVersion: process.versions.node,
      settingPath: settings.nodePath,
      versionOf,
    });
  }

  function supervise(): Supervisor {
    return createSupervisor({
      sharedFolder: shared,
      dataFolder: dataFolder(),
      bundle: bundle('server'),
      transport: nodeTransport({ timeoutMs: 2_000 }),
      runtime,
      // A service that runs keeps its level until it is started anew.
      logLevel: () =>
        log.logLevel === LogLevel.Trace || log.logLevel === LogLevel.Debug ? 'debug' : 'info',
      onState(state) {
        log.info(describeState(state));
        followWhileItRuns(state);
        transport = transportNow();
        changes.fire();
      },
    });
  }

  /** What a service wrote before it ended is read as well: it is followed until somebody stops it. */
  function followWhileItRuns({ kind }: ServiceState): void {
    if (kind !== 'stopped') {
      tail ??= followLog(serviceLogFile(shared), (line) => logServiceLine(log, line));
      return;
    }
    tail?.stop();
    tail = undefined;
  }

  function transportNow(): HttpTransport {
    return nodeTransport({ certificateAuthorityFile: addresses().certificateAuthorityFile });
  }

  function addresses(): NetworkAddresses {
    const state = supervisor.state;
    return networkAddresses(settings, state.kind === 'running' ? state.service : undefined);
  }

  function bundle(name: 'server' | 'mcp'): string {
    return context.asAbsolutePath(join('dist', `${name}.js`));
  }

  disposables.push(
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(SECTION)) return;
      const before = settings;
      settings = readNow();
      for (const { name, message } of settings.problems) log.warn(`${SECTION}.${name}: ${message}`);
      if (before.dataFolder !== settings.dataFolder || before.network !== settings.network) {
        // The service of the old folder is left to other windows; this one turns to the new.
        const old = supervisor;
        const wasRunning = old.state.kind === 'running';
        void old.dispose().then(() => {
          supervisor = supervise();
          transport = transportNow();
          if (wasRunning && settings.network === 'local') void supervisor.start().catch(() => {});
          changes.fire();
        });
      }
      transport = transportNow();
      changes.fire();
    }),
    workspace.onDidGrantWorkspaceTrust(() => changes.fire()),
  );

  return {
    context,
    log,
    get settings() {
      return settings;
    },
    settingsFor: readNow,
    get addresses() {
      return addresses();
    },
    get service() {
      return supervisor.state;
    },
    get transport() {
      return transport;
    },
    get trusted() {
      return workspace.isTrusted;
    },
    journal: openJournal(
      () => context.globalState.get<readonly (readonly [string, string])[]>(JOURNAL, []),
      (pairs) => context.globalState.update(JOURNAL, pairs),
    ),
    onChange: changes.event,
    onPaid: payments.event,
    paid() {
      // The catalog lists an endpoint a moment after its payment, and checks its owner after that.
      for (const ms of LOOK_AGAIN_MS) {
        const timer = setTimeout(() => payments.fire(), ms);
        disposables.push({ dispose: () => clearTimeout(timer) });
      }
    },
    runtime,
    bundle,
    dataFolder,
    async startService() {
      if (settings.network !== 'local') return undefined;
      if (!workspace.isTrusted) throw new NotTrusted();
      return supervisor.start();
    },
    stopService: () => supervisor.stop(),
    async dispose() {
      tail?.stop();
      for (const one of disposables) one.dispose();
      await supervisor.dispose();
    },
  };
}

/** The name that people see of where they are. */
export function networkName({ settings }: Pick<App, 'settings'>): string {
  return settings.network === 'local' ? 'local network' : 'testnet';
}

function describeState(state: ServiceState): string {
  switch (state.kind) {
    case 'running':
      return `service runs: process ${state.service.pid}, ${state.service.facilitatorUrl}${state.startedHere ? '' : ' (attached)'}`;
    case 'waiting':
      return `service: ${state.message} Trying again in ${state.retryInMs} ms.`;
    case 'failed':
      return `service cannot start: ${state.message}`;
    default:
      return `service ${state.kind}`;
  }
}
