import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { conformancePage, demandIds, unprovedDemands } from './conformancePage.ts';
import { sections, unproved } from './demands.ts';
import { readTags, tagsOf } from './tags.ts';

const page = new URL('../../docs/evidence/conformance.md', import.meta.url);
const specification = new URL('../../../shared/spec/service.txt', import.meta.url);

describe('The demands of the specification, and their proofs', () => {
  const tags = readTags();

  it('no test names a demand that is not in the list', () => {
    const known = new Set(demandIds());
    const unknown = tags.filter(({ demand }) => !known.has(demand));
    assert.deepEqual(
      unknown.map(({ demand, file, test }) => `${file}: ${test}: ${demand}`),
      [],
    );
  });

  it('every demand without a test is listed with a reason, and no other', () => {
    assert.deepEqual([...unprovedDemands(tags).keys()].sort(), Object.keys(unproved).sort());
  });

  it('each tag belongs to a test with a name', () => {
    assert.deepEqual(
      tags.filter(({ test }) => test === ''),
      [],
    );
  });

  it('docs/evidence/conformance.md is current (npm run docs -- conformance)', () => {
    assert.equal(readFileSync(page, 'utf8'), conformancePage(tags));
  });

  it('every section of the specification is in the list, if the specification is available', (t) => {
    if (!existsSync(specification)) {
      t.skip(`${fileURLToPath(specification)} is not there`);
      return;
    }
    const headings = [...readFileSync(specification, 'utf8').matchAll(/^#{2,4} (.+)$/gm)].map(
      ([, heading = '']) => heading.trim(),
    );
    const covered = new Set(Object.values(sections).flatMap(({ headings: of }) => of));
    assert.ok(headings.length > 30);
    assert.deepEqual(
      headings.filter((heading) => !covered.has(heading)),
      [],
    );
    assert.deepEqual(
      [...covered].filter((heading) => !headings.includes(heading)),
      [],
    );
  });
});

describe('A tag is read', () => {
  it('from the name of a test, several from one, and of comments the test they are in', () => {
    const text = [
      "  it('[spec: Limits/A] [spec: Limits/B] what holds', () => {",
      '    // [spec: Limits/C] the third',
      '  });',
      "    ['[spec: Limits/D] a case', 1],",
    ].join('\n');
    assert.deepEqual(tagsOf('a.test.ts', text), [
      { demand: 'Limits/A', file: 'a.test.ts', test: 'what holds' },
      { demand: 'Limits/B', file: 'a.test.ts', test: 'what holds' },
      { demand: 'Limits/C', file: 'a.test.ts', test: 'what holds' },
      { demand: 'Limits/D', file: 'a.test.ts', test: 'a case' },
    ]);
  });

  it('from a comment above a function of Rust', () => {
    const text = '// [spec: Limits/A]\n#[test]\nfn it_does_not_slide() {\n}\n';
    assert.deepEqual(tagsOf('a.rs', text), [
      { demand: 'Limits/A', file: 'a.rs', test: 'it does not slide' },
    ]);
  });
});
