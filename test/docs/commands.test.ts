import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeBlocks, noteOf } from './commands/codeBlocks.ts';
import { openStage, type Stage } from './commands/stage.ts';
import { projectFile } from './pages/projectFile.ts';
import { proseFiles } from './pages/proseFiles.ts';

/** Blocks that cannot run here, by page. Give a reason for each new one, here and in its comment. */
const NOT_RUN: Readonly<Record<string, number>> = {
  'README.md': 4,
  'docs/agents.md': 2,
  'docs/cheat-sheet.md': 3,
  'docs/editor.md': 1,
  'docs/embedded-network.md': 2,
  'docs/evidence/unstable-tests.md': 1,
  'docs/mpp-client.md': 2,
  'docs/operating.md': 4,
  'docs/proxy.md': 3,
  'docs/receipts.md': 2,
  'examples/agent/README.md': 1,
  'examples/paid-api/README.md': 1,
  'examples/python-api/README.md': 1,
  'network/README.md': 1,
};

/** Quickstarts are followed from their first command to their last by quickstarts.test.ts. */
const blocks = codeBlocks('sh').filter(({ page }) => !page.startsWith('docs/quickstarts/'));

describe('The commands of the pages work unchanged', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  for (const block of blocks) {
    const { page, line, text } = block;
    if (noteOf(block, 'not run') !== undefined) continue;
    it(`${page}:${line} ${text.split('\n')[0]}`, async () => {
      const { status, output } = await stage.run(text, noteOf(block, 'in'));
      assert.equal(status, 0, output);
    });
  }
});

describe('Commands that are not run', () => {
  it('say why, and their number is known', () => {
    const counts: Record<string, number> = {};
    for (const block of blocks) {
      const reason = noteOf(block, 'not run');
      if (reason === undefined) continue;
      assert.ok(reason.length > 20, `${block.page}:${block.line}`);
      counts[block.page] = (counts[block.page] ?? 0) + 1;
    }
    assert.deepEqual(counts, NOT_RUN);
  });
});

describe('The version', () => {
  it('in file names on the pages is the one of package.json', () => {
    const { version } = JSON.parse(projectFile('package.json')) as { version: string };
    const named = proseFiles()
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) => [...projectFile(page).matchAll(/svc-x402-(\d+\.\d+\.\d+)\.(?:vsix|tgz)/g)])
      .map(([, shown]) => shown);
    assert.ok(named.length > 0);
    assert.deepEqual([...new Set(named)], [version]);
    assert.ok(projectFile('CHANGELOG.md').includes(`\n## ${version}\n`));
  });
});

describe('npm scripts on the pages', () => {
  it('are there', () => {
    const scriptsOf = (manifest: string) =>
      (JSON.parse(projectFile(manifest)) as { scripts: Record<string, string> }).scripts;
    const missing = proseFiles().flatMap((page) =>
      [...projectFile(page).matchAll(/`npm (?:run (?:--silent )?([a-z][\w:-]*)|(start|test)\b)/g)]
        .map(([, script, short]) => script ?? short ?? '')
        .filter((name) => {
          const own = page.startsWith('network/') ? scriptsOf('network/package.json') : {};
          return { ...scriptsOf('package.json'), ...own }[name] === undefined;
        })
        .map((name) => `${page}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });
});
