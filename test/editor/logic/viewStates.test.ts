import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as unknown;
const { contributes } = read('package.json') as {
  contributes: {
    readonly views: Readonly<Record<string, readonly { id: string; type?: string }[]>>;
    readonly viewsWelcome: readonly { view: string; contents: string; when: string }[];
    readonly commands: readonly { command: string }[];
  };
};

describe('Each state of a view has the next step', () => {
  const commands = new Set(contributes.commands.map(({ command }) => command));

  for (const file of ['package.nls.json', 'package.nls.de.json']) {
    const texts = read(file) as Readonly<Record<string, string>>;
    it(`as a button, in ${file}`, () => {
      for (const { contents, when } of contributes.viewsWelcome) {
        const text = texts[contents.slice(1, -1)] ?? '';
        const buttons = [...text.matchAll(/^\[[^\]]+\]\(command:([\w.-]+)\)$/gm)].map(
          ([, command = '']) => command,
        );
        assert.ok(buttons.length > 0, when);
        for (const command of buttons) {
          assert.ok(commands.has(command) || command.startsWith('workbench.'), command);
        }
      }
    });
  }

  it('in every list: starting, stopped, and restricted', () => {
    const lists = Object.values(contributes.views).flat();
    for (const { id } of lists.filter(({ type }) => type !== 'webview')) {
      for (const state of ['starting', 'stopped', 'untrusted']) {
        const when = `${id}.state == ${state}`;
        assert.ok(
          contributes.viewsWelcome.some((one) => one.view === id && one.when === when),
          when,
        );
      }
    }
  });
});
