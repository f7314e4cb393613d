import { type DebugConfiguration, type Disposable, debug, Uri, window, workspace } from 'vscode';
import {
  facilitatorEnvironment,
  type TerminalChoice,
  type TerminalVariables,
  terminalVariables,
  type Variables,
} from '../settings/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

/** Debuggers that start Node programs. */
const DEBUG_TYPES = ['node', 'pwa-node', 'node-terminal'];

/** A debug session starts after this time at the latest, even without a service. */
const STARTED_WITHIN_MS = 10_000;

/** The project's files with variables, the strongest first. */
const ENV_FILES = ['.env.local', '.env.development', '.env'];
const CHOICE = 'terminalChoice';

/** What the user chose, and for which own values: other values are asked about again. */
interface StoredChoice {
  readonly values: string;
  readonly choice: TerminalChoice;
}

const valuesOf = (differences: TerminalVariables['differences']): string =>
  differences.map(({ name, own }) => `${name}=${own}`).join(' ');

/** The variables of the editor's terminals and debug sessions. */
export interface TerminalEnvironment extends Disposable {
  /** Variables that a server started by this extension gets, once it is known whether terminals have their own. */
  variables(): Promise<Variables>;
}

/**
 * Sets the facilitator's address for the editor's terminals and debug sessions: generated code reads FACILITATOR_URL first.
 * Terminals that have addresses of their own keep them; a difference is reported once, with the choice.
 */
export function provideTerminalEnvironment(app: App): TerminalEnvironment {
  const collection = app.context.environmentVariableCollection;
  const { workspaceState } = app.context;
  // After a reload, the service is a different one, so the current values are set again.
  collection.persistent = false;
  let shown = '';
  let asked: string | undefined;
  let envFiles: Promise<readonly string[]> | undefined;

  async function decide(): Promise<TerminalVariables> {
    const { settings, addresses, trusted } = app;
    if (!trusted || !settings.terminalEnvironment) return { set: {}, differences: [] };
    envFiles ??= readEnvFiles();
    const own = {
      terminalSetting: terminalSetting(),
      editor: process.env,
      envFiles: await envFiles,
    };
    const ours = facilitatorEnvironment(addresses);
    const undecided = terminalVariables(ours, own, undefined);
    const stored = workspaceState.get<StoredChoice>(CHOICE);
    return stored?.values === valuesOf(undecided.differences)
      ? terminalVariables(ours, own, stored.choice)
      : undecided;
  }

  async function show(): Promise<void> {
    const { set, differences } = await decide();
    const key = JSON.stringify(set);
    // Each change marks open terminals as out of date.
    if (key !== shown) {
      shown = key;
      collection.clear();
      for (const [name, value] of Object.entries(set)) collection.replace(name, value);
    }
    if (differences.length > 0) void askOnce(differences);
  }

  async function askOnce(differences: TerminalVariables['differences']): Promise<void> {
    const values = valuesOf(differences);
    if (asked === values || workspaceState.get<StoredChoice>(CHOICE)?.values === values) return;
    asked = values;
    const [first] = differences;
    if (first === undefined) return;
    const { name, own, ours } = first;
    const [keep, replace] = [t('Keep Mine'), t('Use the Selected Network')];
    const choice = await window.showWarningMessage(
      t(
        'Your terminals set {0} to {1}, but the selected network is at {2}. Svc keeps your values.',
        name,
        own,
        ours,
      ),
      keep,
      replace,
    );
    if (choice === undefined) return;
    const stored: StoredChoice = { values, choice: choice === replace ? 'service' : 'own' };
    await workspaceState.update(CHOICE, stored);
    await show();
  }

  const refresh = () => void show();
  const reread = () => {
    envFiles = undefined;
    refresh();
  };
  const parts = [
    app.onChange(refresh),
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (ENV_FILES.some((name) => uri.path.endsWith(`/${name}`))) reread();
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('terminal.integrated.env')) refresh();
    }),
    ...DEBUG_TYPES.map((type) =>
      debug.registerDebugConfigurationProvider(type, {
        resolveDebugConfigurationWithSubstitutedVariables: (_folder, configuration) =>
          withVariables(configuration),
      }),
    ),
  ];
  refresh();
  return {
    variables: async () => (await decide()).set,
    dispose() {
      for (const part of parts) part.dispose();
    },
  };

  /** Variables set by the configuration take precedence. A service that is starting is awaited. */
  async function withVariables(configuration: DebugConfiguration): Promise<DebugConfiguration> {
    // An env file might name another facilitator, which these values would override. Without one, the debugger has filled in
    // null.
    if (configuration.request !== 'launch' || (configuration['envFile'] ?? null) !== null) {
      return configuration;
    }
    await app.whenStarted(STARTED_WITHIN_MS);
    const { set } = await decide();
    return { ...configuration, env: { ...set, ...configuration['env'] } };
  }
}

/** Variables of the editor's own setting for terminals. */
function terminalSetting(): Readonly<Record<string, string | null>> {
  const systems: Readonly<Record<string, string>> = { darwin: 'osx', win32: 'windows' };
  const name = systems[process.platform] ?? 'linux';
  return workspace
    .getConfiguration('terminal.integrated.env')
    .get<Record<string, string | null>>(name, {});
}

async function readEnvFiles(): Promise<readonly string[]> {
  const folders = workspace.workspaceFolders ?? [];
  const texts = folders.flatMap(({ uri }) =>
    ENV_FILES.map(async (name) => {
      try {
        const bytes = await workspace.fs.readFile(Uri.joinPath(uri, name));
        return Buffer.from(bytes).toString('utf8');
      } catch {
        return '';
      }
    }),
  );
  return Promise.all(texts);
}
