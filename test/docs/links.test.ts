import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { projectFile, projectRoot } from './pages/projectFile.ts';
import { proseFiles } from './pages/proseFiles.ts';

const pages = proseFiles();

/** Text without code blocks, in which brackets are not links. */
function prose(page: string): string {
  return projectFile(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
}

/** The heading's anchor, as code hosts make it. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function anchors(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchor(text));
}

interface Link {
  readonly whole: string;
  /** From the root. */
  readonly target: string;
  readonly section: string | undefined;
}

/** Links and pictures that lead to a file of the project. */
function links(page: string): Link[] {
  const found = prose(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g);
  return [...found].map(([whole, path = '', section]) => ({
    whole,
    target: path === '' ? page : normalize(join(dirname(page), path)),
    section,
  }));
}

describe('The pages’ links lead to existing targets', () => {
  for (const page of pages) {
    it(page, () => {
      for (const { whole, target, section } of links(page)) {
        assert.ok(existsSync(join(projectRoot, target)), whole);
        if (section !== undefined) assert.ok(anchors(target).includes(section), whole);
      }
    });
  }
});

describe('No page is lost', () => {
  it('docs/README.md leads to every page of docs/ and docs/evidence/, and README.md to it', () => {
    const listed = new Set(links('docs/README.md').map(({ target }) => target));
    const lost = pages.filter(
      (page) =>
        /^docs\/(?:evidence\/)?[^/]+\.md$/.test(page) &&
        page !== 'docs/README.md' &&
        !listed.has(page),
    );
    assert.deepEqual(lost, []);
    assert.ok(links('README.md').some(({ target }) => target === 'docs/README.md'));
  });

  it('docs/errors.md leads to the page of every code', () => {
    const listed = new Set(links('docs/errors.md').map(({ target }) => target));
    const lost = pages.filter((page) => page.startsWith('docs/errors/') && !listed.has(page));
    assert.deepEqual(lost, []);
  });
});
