import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings of a workspace, changed on the disk as another program or a colleague's commit does. */
export class WorkspaceSettings {
  #folder;
  #values = {};

  /** @param folder of the workspace; editors miss a folder that is made and filled at once, so it gets its file now */
  constructor(folder) {
    this.#folder = join(folder, '.vscode');
    this.replace({});
  }

  /** The file is put in place whole: an editor that reads between a truncation and a write sees no settings at all. */
  replace(values) {
    this.#values = values;
    const path = join(this.#folder, 'settings.json');
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(`${path}.new`, JSON.stringify(values, undefined, 2));
    renameSync(`${path}.new`, path);
  }

  change(changes) {
    this.replace({ ...this.#values, ...changes });
  }

  /** What an editor has written into the file itself. */
  wasWritten(changes) {
    this.#values = { ...this.#values, ...changes };
  }

  /**
   * Changes settings, and waits for the sight of it. Editors now and then miss that a file changed; then it is written again.
   * @param seen gets the options of a wait
   */
  async changeAndSee(changes, seen) {
    for (let tries = 1; ; tries += 1) {
      this.change(changes);
      try {
        return await seen({ timeout: 15_000 });
      } catch (error) {
        if (tries === 3) throw error;
      }
    }
  }
}
