import { type Memento, type Uri, workspace } from 'vscode';
import {
  confirmedOnly,
  type Decision,
  type ProjectSetting,
  projectSettings,
  type ReadLayers,
} from '../settings/index.ts';

const SECTION = 'svc-x402';
const DECIDED = 'projectSettings';
const MAX_DECIDED = 50;

type Decided = Readonly<Record<string, Decision>>;

const keyOf = ({ name, value }: Pick<ProjectSetting, 'name' | 'value'>) => `${name}=${value}`;

/**
 * The addresses in this workspace's settings that the user has confirmed, each by name and value. The editor stores the answers
 * outside the workspace, so a project cannot confirm its own settings. After a change, the user is asked again.
 */
export class ProjectConsent {
  readonly #memory: Memento;
  readonly #onDecided: () => void;

  constructor(memory: Memento, onDecided: () => void) {
    this.#memory = memory;
    this.#onDecided = onDecided;
  }

  /** Reads the settings for a file, without the project's unconfirmed addresses. */
  read(file?: Uri): (name: string) => unknown {
    return confirmedOnly(layersOf(file), (setting) => this.decision(setting));
  }

  /** The addresses that the project sets, confirmed or not. */
  all(file?: Uri): readonly ProjectSetting[] {
    return projectSettings(layersOf(file));
  }

  /** The project's addresses that the user has not decided about. */
  open(file?: Uri): readonly ProjectSetting[] {
    return this.all(file).filter((setting) => this.decision(setting) === undefined);
  }

  decision(setting: ProjectSetting): Decision | undefined {
    return this.#decided[keyOf(setting)];
  }

  /** Stores the user's decision for these values. */
  async decide(
    settings: readonly Pick<ProjectSetting, 'name' | 'value'>[],
    decision: Decision,
  ): Promise<void> {
    const now = new Map(Object.entries(this.#decided));
    for (const setting of settings) {
      now.delete(keyOf(setting));
      now.set(keyOf(setting), decision);
    }
    await this.#memory.update(DECIDED, Object.fromEntries([...now].slice(-MAX_DECIDED)));
    this.#onDecided();
  }

  get #decided(): Decided {
    return this.#memory.get<Decided>(DECIDED, {});
  }
}

function layersOf(file: Uri | undefined): ReadLayers {
  const configuration = workspace.getConfiguration(SECTION, file);
  return (name) => {
    const layers = configuration.inspect(name);
    return {
      value: configuration.get(name),
      own: layers?.globalValue ?? layers?.defaultValue,
    };
  };
}
