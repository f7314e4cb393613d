import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { extensionReadme } from '../../scripts/extensionReadme.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(join(root, 'src/extension/README.md'), 'utf8');
const targets = (page: string) =>
  [...page.matchAll(/(!?)\[[^\]]*\]\(([^)]+)\)/g)].map(([, picture, target = '']) => ({
    picture: picture === '!',
    target,
  }));

describe('E9: the page of the extension', () => {
  it('begins with steps in the editor, and never with a build', () => {
    assert.doesNotMatch(text, /git clone|npm (run|start|i |install)|node dist|code --install/);
    assert.match(text, /## Start here\n\n1\. Open a JavaScript or TypeScript file/);
  });

  it('has only absolute addresses of existing files, from one setting', () => {
    for (const repository of [
      'https://github.com/owner/name',
      'git+https://github.com/owner/name.git',
    ]) {
      const all = targets(extensionReadme(text, repository));
      assert.equal(all.length, targets(text).length);
      for (const { picture, target } of all) {
        const kind = picture ? 'raw' : 'blob';
        const [, path = ''] =
          new RegExp(`^https://github.com/owner/name/${kind}/HEAD/(.+)$`).exec(target) ?? [];
        assert.ok(path !== '' && existsSync(join(root, path)), target);
      }
    }
  });

  it('has no broken addresses while no repository is set', () => {
    const page = extensionReadme(text, undefined);
    assert.deepEqual(targets(page), []);
    assert.match(page, /All about the extension · its settings · changes/);
  });

  it('lists what remains on the machine after the extension is uninstalled', () => {
    const [, section = ''] = /## When you uninstall it\n([\s\S]*?)(?=\n## |$)/.exec(text) ?? [];
    for (const word of [
      'in your code',
      'Reset Local Network',
      'globalStorage/svc-x402.svc-x402',
      'MCP server',
      '`svc-x402.`',
    ]) {
      assert.ok(section.includes(word), word);
    }
  });

  it('leaves other addresses unchanged', () => {
    const other = 'See [x402](https://www.x402.org) and [above](#start-here).';
    assert.equal(extensionReadme(other, undefined), other);
  });
});
