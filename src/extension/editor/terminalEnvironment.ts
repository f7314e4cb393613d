import { type DebugConfiguration, type Disposable, debug } from 'vscode';
import { facilitatorEnvironment } from '../settings/index.ts';
import type { App } from './app.ts';

/** Debuggers that start Node programs. */
const DEBUG_TYPES = ['node', 'pwa-node', 'node-terminal'];

/** A debug session starts after this time at the latest, even without a service. */
const STARTED_WITHIN_MS = 10_000;

/**
 * Sets the facilitator's address for the editor's terminals and debug sessions: generated code reads FACILITATOR_URL first.
 */
export function provideTerminalEnvironment(app: App): Disposable {
  const collection = app.context.environmentVariableCollection;
  // After a reload, the service is a different one, so the current values are set again.
  collection.persistent = false;
  let shown = '';

  function variables(): Readonly<Record<string, string>> {
    const { settings, addresses, trusted } = app;
    return trusted && settings.terminalEnvironment ? facilitatorEnvironment(addresses) : {};
  }

  function show(): void {
    const now = variables();
    const key = JSON.stringify(now);
    // Each change marks open terminals as out of date.
    if (key === shown) return;
    shown = key;
    collection.clear();
    for (const [name, value] of Object.entries(now)) collection.replace(name, value);
  }

  const parts = [
    app.onChange(show),
    ...DEBUG_TYPES.map((type) =>
      debug.registerDebugConfigurationProvider(type, {
        resolveDebugConfigurationWithSubstitutedVariables: (_folder, configuration) =>
          withVariables(configuration),
      }),
    ),
  ];
  show();
  return {
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
    return { ...configuration, env: { ...variables(), ...configuration['env'] } };
  }
}
