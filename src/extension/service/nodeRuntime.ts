import { t } from '../words/index.ts';

/** How to start a bundle: the program and its environment. */
export interface NodeRuntime {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The minimum for the service and the discovery server. */
export const OLDEST_NODE = 18;

export interface RuntimeFacts {
  /** `process.execPath` and `process.versions.node` of the editor. */
  readonly editorPath: string;
  readonly editorVersion: string;
  /** The setting, if any. */
  readonly settingPath: string | undefined;
  /** Returns a program's version (`node --version`); `undefined` if it does not start. */
  readonly versionOf: (command: string) => Promise<string | undefined>;
}

export type RuntimeChoice =
  | { readonly ok: true; readonly runtime: NodeRuntime }
  | { readonly ok: false; readonly message: string };

/**
 * Chooses the runtime of child processes: the setting, else the editor's own runtime if it is new enough, else `node` from the
 * PATH, else a message that asks the user to install Node.
 */
export async function chooseRuntime(facts: RuntimeFacts): Promise<RuntimeChoice> {
  if (facts.settingPath !== undefined) {
    const version = await facts.versionOf(facts.settingPath);
    if (isNewEnough(version)) return plain(facts.settingPath);
    return {
      ok: false,
      message:
        version === undefined
          ? t('svc-x402.nodePath does not start. Node {0} or later is required.', OLDEST_NODE)
          : t('svc-x402.nodePath is {0}. Node {1} or later is required.', version, OLDEST_NODE),
    };
  }
  if (isNewEnough(facts.editorVersion)) {
    // Electron behaves as Node with this variable; plain Node ignores it.
    return {
      ok: true,
      runtime: { command: facts.editorPath, environment: { ELECTRON_RUN_AS_NODE: '1' } },
    };
  }
  const version = await facts.versionOf('node');
  if (isNewEnough(version)) return plain('node');
  const found =
    version === undefined ? t('node is not on the PATH') : t('node on the PATH is {0}', version);
  return {
    ok: false,
    message: t(
      'This editor runs Node {0}, and {1}. Install Node {2} or later, or set svc-x402.nodePath to one.',
      facts.editorVersion,
      found,
      OLDEST_NODE,
    ),
  };
}

function plain(command: string): RuntimeChoice {
  return { ok: true, runtime: { command, environment: {} } };
}

function isNewEnough(version: string | undefined): boolean {
  const major = Number(/^v?(\d+)\./.exec(version ?? '')?.[1]);
  return major >= OLDEST_NODE;
}
