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
import type { HttpTransport } from '../../sdk/exact/index.ts';
import {
  type ActivityLog,
  activityOf,
  createActivityLog,
  parseServiceLine,
} from '../activity/index.ts';
import { openJournal, type PaymentJournal, routeOf } from '../earnings/index.ts';
import { nodeTransport } from '../http/index.ts';
import {
  chooseRuntime,
  createSupervisor,
  followLog,
  type LogTail,
  type RuntimeChoice,
  type ServiceState,
  type Supervisor,
  serviceLogFile,
  serviceOf,
  versionOf,
} from '../service/index.ts';
import {
  type NetworkAddresses,
  networkAddresses,
  readSettings,
  type Settings,
} from '../settings/index.ts';
import { t } from '../words/index.ts';
import { Milestones } from './milestones.ts';
import { ProjectConsent } from './projectConsent.ts';
import { logServiceLine } from './serviceLog.ts';

const SECTION = 'svc-x402';
const JOURNAL = 'journal';
const LOOK_AGAIN_MS = [0, 1_500, 6_000];

/** A start was requested in an untrusted workspace. */
export class NotTrusted extends Error {
  constructor() {
    super(t("This workspace isn't trusted, so Svc doesn't start anything in it."));
  }
}

/** State shared by all commands and views. */
export class App {
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
  readonly journal: PaymentJournal;
  readonly milestones: Milestones;
  /** The workspace's addresses that the user has confirmed. */
  readonly consent: ProjectConsent;
  /** Settings, service or trust changed: views might be out of date. */
  readonly onChange: Event<void>;
  /** A payment settled in this window: views read again. */
  readonly onPaid: Event<void>;
  readonly #changes = new EventEmitter<void>();
  readonly #payments = new EventEmitter<void>();
  readonly #activities = new EventEmitter<void>();
  readonly #disposables: Disposable[] = [];
  /** Recent payment activity by endpoint, from the service's log and this window's tests. */
  readonly activity: ActivityLog = createActivityLog(() => this.#activities.fire());
  readonly onActivity: Event<void> = this.#activities.event;
  /** URLs of the seller's routes, as last listed by the catalog. */
  routes: readonly string[] = [];
  /** Folder shared by all windows. */
  readonly #shared: string;
  #settings: Settings;
  #supervisor: Supervisor;
  #transport: HttpTransport;
  #tail: LogTail | undefined;
  #stoppedByHand = false;

  constructor(context: ExtensionContext) {
    this.context = context;
    this.log = window.createOutputChannel('Svc x402', { log: true });
    this.onChange = this.#changes.event;
    this.onPaid = this.#payments.event;
    this.#shared = context.globalStorageUri.fsPath;
    this.consent = new ProjectConsent(context.workspaceState, () => this.#readSettings());
    this.#settings = this.settingsFor();
    this.#supervisor = this.#supervise();
    this.#transport = this.#transportNow();
    this.journal = openJournal(
      () => context.globalState.get<readonly (readonly [string, string])[]>(JOURNAL, []),
      (pairs) => context.globalState.update(JOURNAL, pairs),
    );
    this.milestones = new Milestones(context.globalState);
    this.#markAddress();
    this.#disposables.push(
      this.log,
      this.#changes,
      this.#payments,
      this.#activities,
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) this.#readSettings();
      }),
      workspace.onDidGrantWorkspaceTrust(() => this.#changes.fire()),
    );
  }

  get settings(): Settings {
    return this.#settings;
  }

  /**
   * Returns the settings that apply to a file: folders of a workspace can have their own. They exclude project addresses that
   * the user has not confirmed.
   */
  settingsFor(file?: Uri): Settings {
    return readSettings(this.consent.read(file));
  }

  get addresses(): NetworkAddresses {
    return networkAddresses(this.#settings, serviceOf(this.#supervisor.state));
  }

  get service(): ServiceState {
    return this.#supervisor.state;
  }

  get transport(): HttpTransport {
    return this.#transport;
  }

  /** Nothing is started in Restricted Mode. */
  get trusted(): boolean {
    return workspace.isTrusted;
  }

  /** Schedules a refresh of the views that a settlement in this window changes. */
  paid(): void {
    // The catalog lists an endpoint a moment after its payment, and checks its owner after that.
    for (const ms of LOOK_AGAIN_MS) {
      const timer = setTimeout(() => this.#payments.fire(), ms);
      this.#disposables.push({ dispose: () => clearTimeout(timer) });
    }
  }

  /** The route that a settlement was for, if this machine knows it. */
  routeOfSettlement(hash: string): string | undefined {
    const url = this.journal.urlOf(hash);
    return url && routeOf(url, this.routes);
  }

  /** The runtime of this window's child processes. */
  runtime(): Promise<RuntimeChoice> {
    return chooseRuntime({
      editorPath: process.execPath,
      editorVersion: process.versions.node,
      settingPath: this.#settings.nodePath,
      versionOf,
    });
  }

  bundle(name: 'server' | 'mcp' | 'cli'): string {
    return this.context.asAbsolutePath(join('dist', `${name}.js`));
  }

  /** The folder that all windows share. */
  get sharedFolder(): string {
    return this.#shared;
  }

  /** Ports on which the local service listens. */
  ownPorts(): readonly number[] {
    const { facilitatorUrl, rpcUrl, horizonUrl, certificateAuthorityFile } = this.addresses;
    if (certificateAuthorityFile === undefined) return [];
    return [facilitatorUrl, rpcUrl, horizonUrl].flatMap((url) =>
      url === undefined ? [] : [Number(new URL(url).port)],
    );
  }

  /** The data folder of the local service. */
  dataFolder(): string {
    return this.#settings.dataFolder ?? join(this.#shared, 'local');
  }

  /** Starts what the chosen network needs; resolves when it answers. */
  async startService(): Promise<ServiceFile | undefined> {
    if (this.#settings.network !== 'local') return undefined;
    if (!workspace.isTrusted) throw new NotTrusted();
    this.#stoppedByHand = false;
    return this.#supervisor.start();
  }

  /**
   * The facilitator that generated code calls. This window attaches to the service or starts it first, so that no guessed
   * address is written into code. `undefined` on testnet until one is set.
   */
  async facilitatorForCode(): Promise<string | undefined> {
    const { facilitatorUrl, network } = this.#settings;
    if (facilitatorUrl !== undefined) return facilitatorUrl;
    if (network === 'local') await this.startService();
    return this.addresses.facilitatorUrl;
  }

  /** Resolves once the service has started or failed, or after `withinMs`. */
  async whenStarted(withinMs: number): Promise<void> {
    if (this.service.kind !== 'starting') return;
    await new Promise<void>((resolve) => {
      const listener = this.onChange(() => {
        if (this.service.kind !== 'starting') done();
      });
      const timer = setTimeout(done, withinMs);
      function done(): void {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      }
    });
  }

  /** Whether the user stopped the service: then it starts only on request. */
  get stoppedByHand(): boolean {
    return this.#stoppedByHand;
  }

  stopService(): Promise<void> {
    this.#stoppedByHand = true;
    return this.#supervisor.stop();
  }

  async dispose(): Promise<void> {
    this.#tail?.stop();
    for (const one of this.#disposables) one.dispose();
    await this.#supervisor.dispose();
  }

  /** Reads the service's log, even if the system does not report that the file changed. */
  async lookAtLog(): Promise<void> {
    await this.#tail?.look();
  }

  #markAddress(): void {
    if (this.#settings.payTo !== undefined) this.milestones.mark('address');
  }

  #supervise(): Supervisor {
    return createSupervisor({
      sharedFolder: this.#shared,
      dataFolder: this.dataFolder(),
      bundle: this.bundle('server'),
      transport: nodeTransport({ timeoutMs: 2_000 }),
      runtime: () => this.runtime(),
      port: () => this.#settings.facilitatorPort,
      // A running service keeps its level until it is restarted.
      logLevel: () =>
        this.log.logLevel === LogLevel.Trace || this.log.logLevel === LogLevel.Debug
          ? 'debug'
          : 'info',
      onState: (state) => {
        this.log.info(describeState(state));
        this.#followWhileItRuns(state);
        this.#transport = this.#transportNow();
        this.#changes.fire();
      },
    });
  }

  /** Follows the service's log until it is stopped, so what it logged before exiting is also shown. */
  #followWhileItRuns({ kind }: ServiceState): void {
    if (kind !== 'stopped') {
      const path = serviceLogFile(this.#shared);
      this.#tail ??= followLog(path, (line, earlier) => this.#readServiceLine(line, earlier));
      return;
    }
    this.#tail?.stop();
    this.#tail = undefined;
  }

  /** Earlier lines are already in the channel or belong to another window. */
  #readServiceLine(line: string, earlier: boolean): void {
    const entry = parseServiceLine(line);
    if (!earlier) logServiceLine(this.log, line, entry);
    const activity = entry && activityOf(entry);
    if (activity !== undefined) this.activity.note(activity);
  }

  #transportNow(): HttpTransport {
    const { certificateAuthorityFile } = this.addresses;
    return nodeTransport({ certificateAuthorityFile });
  }

  #readSettings(): void {
    const before = this.#settings;
    this.#settings = this.settingsFor();
    this.#markAddress();
    for (const { name, message } of this.#settings.problems) {
      this.log.warn(`${SECTION}.${name}: ${message}`);
    }
    const { dataFolder, network } = this.#settings;
    if (before.dataFolder !== dataFolder || before.network !== network) {
      void this.#superviseAgain();
    }
    this.#transport = this.#transportNow();
    this.#changes.fire();
  }

  /** Leaves the service of the old folder to other windows, and uses the new folder. */
  async #superviseAgain(): Promise<void> {
    const old = this.#supervisor;
    const wasRunning = serviceOf(old.state) !== undefined;
    await old.dispose();
    this.#supervisor = this.#supervise();
    this.#transport = this.#transportNow();
    if (wasRunning && this.#settings.network === 'local') {
      void this.#supervisor.start().catch(() => {});
    }
    this.#changes.fire();
  }
}

/** The network's display name. */
export function networkName({ settings }: Pick<App, 'settings'>): string {
  return settings.network === 'local' ? t('local network') : 'testnet';
}

function describeState(state: ServiceState): string {
  switch (state.kind) {
    case 'running':
      return `service runs: process ${state.service.pid}, ${state.service.facilitatorUrl}${state.startedHere ? '' : ' (attached)'}`;
    case 'unresponsive':
      return `service does not respond: process ${state.service.pid}`;
    case 'waiting':
      return `service: ${state.message} Trying again in ${state.retryInMs} ms.`;
    case 'failed':
      return `service cannot start: ${state.message}`;
    default:
      return `service ${state.kind}`;
  }
}
