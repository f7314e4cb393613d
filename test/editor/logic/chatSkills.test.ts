import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readManifest } from '../manifest.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { contributes } = readManifest() as {
  contributes: {
    readonly chatSkills: readonly { readonly path: string }[];
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly commands: readonly { readonly title: string }[];
  };
};

/** The head of a skill, as agentskills.io has it. */
function headOf(text: string): Readonly<Record<string, string>> {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const members = head.split('\n').map((line) => /^([\w-]+): (.+)$/.exec(line) ?? []);
  return Object.fromEntries(members.map(([, name = '', value = '']) => [name, value]));
}

describe('The skills of the extension', () => {
  const paths = contributes.chatSkills.map(({ path }) => path);

  it('are the packed files, each in the manifest', () => {
    const files = readdirSync(join(root, 'skills')).map((name) => `./skills/${name}/SKILL.md`);
    assert.deepEqual([...paths].sort(), files.sort());
    for (const path of paths) assert.ok(existsSync(join(root, path)), path);
    assert.ok(read('.vscodeignore').split('\n').includes('!skills/**'));
  });

  it('have a valid head: the folder’s name, and when to use the skill', () => {
    for (const path of paths) {
      const { name = '', description = '' } = headOf(read(path));
      assert.equal(name, basename(dirname(path)));
      assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.ok(name.length <= 64 && description.length > 0 && description.length <= 1024);
      assert.match(description, /Use when/);
    }
  });

  it('name every tool and no other, and commands by their titles', () => {
    const texts = paths.map(read).join('\n');
    const tools = contributes.languageModelTools.map(({ name }) => name);
    const named = new Set([...texts.matchAll(/`(x402_\w+)`/g)].map(([, name]) => name));
    assert.deepEqual([...named].sort(), [...tools].sort());
    const titles = contributes.commands.map(({ title }) => title);
    const commands = [...texts.matchAll(/"Svc: ([^"]+)"/g)].map(([, title = '']) => title);
    assert.ok(commands.length > 0);
    for (const title of commands) assert.ok(titles.includes(title), title);
  });
});
