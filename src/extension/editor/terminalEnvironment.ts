import { type DebugConfiguration, type Disposable, debug } from 'vscode';
import { facilitatorEnvironment } from '../settings/index.ts';
import type { App } from './app.ts';

/** Debuggers that start a program of Node. */
const DEBUG_TYPES = ['node', 'pwa-node', 'node-terminal'];

/**
 * Sets the facilitator's address for terminals and debug sessions that are started in the editor:
 * generated code asks FACILITATOR_URL first.
 */
export function provideTerminalEnvironment(app: App): Disposable {
  const collection = app.context.environmentVariableCollection;
  // The service is another one after a reload: what is true now is set again then.
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

  /** What the configuration sets itself counts first. */
  function withVariables(configuration: DebugConfiguration): DebugConfiguration {
    // A file of variables may name another facilitator, and would count for less than these.
    if (configuration.request !== 'launch' || configuration['envFile'] !== undefined) {
      return configuration;
    }
    return { ...configuration, env: { ...variables(), ...configuration['env'] } };
  }
}
