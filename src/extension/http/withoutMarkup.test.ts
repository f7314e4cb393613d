import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutMarkup } from './withoutMarkup.ts';

describe('the text of a page', () => {
  const pages = [
    ['no page', 'no page'],
    ['1 < 2 <3', '1 < 2 <3'],
    ['<h1>Not <b>found</b></h1>', ' Not  found  '],
    ['<!DOCTYPE html><p\nclass="x">x', '  x'],
    ['a<style>b { c }</style>d<SCRIPT src="x">e < f</script>g', 'a  d  g'],
    ['a<style>b', 'a b'],
    ['</style><style>b', '  b'],
    ['a <b', 'a <b'],
  ] as const;
  for (const [page, text] of pages) {
    it(JSON.stringify(page), () => assert.equal(withoutMarkup(page), text));
  }

  it('takes time in proportion to a page of tags that do not end', () => {
    const page = '<style><script <b'.repeat(60_000);
    assert.ok(withoutMarkup(page).length < page.length);
  });
});
