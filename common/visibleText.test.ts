import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasHiddenCharacter, oneLine, parseVisibleJson, visibleText } from './visibleText.ts';

const point = (code: number): string => String.fromCodePoint(code);

/** Ranges from the Unicode Character Database, independent of the engine's own tables. */
const UNSEEN: readonly (readonly [number, number, string])[] = [
  [0xe0100, 0xe01ef, 'variation selectors supplement'],
  [0xe0000, 0xe007f, 'tags'],
  [0xfe00, 0xfe0f, 'variation selectors'],
  [0x3164, 0x3164, 'Hangul filler'],
  [0x115f, 0x1160, 'Hangul jamo fillers'],
  [0xffa0, 0xffa0, 'halfwidth Hangul filler'],
  [0x034f, 0x034f, 'combining grapheme joiner'],
  [0x180b, 0x180f, 'Mongolian selectors and vowel separator'],
  [0x17b4, 0x17b5, 'Khmer inherent vowels'],
  [0x2800, 0x2800, 'Braille blank'],
  [0x00ad, 0x00ad, 'soft hyphen'],
  [0x200b, 0x200f, 'zero-width characters and direction marks'],
  [0x2028, 0x202e, 'separators, embeddings and overrides'],
  [0x2060, 0x206f, 'word joiner, invisible operators, isolates'],
  [0xfeff, 0xfeff, 'byte order mark'],
  [0xe000, 0xf8ff, 'private use'],
  [0xd800, 0xdfff, 'lone surrogates'],
  [0x1d159, 0x1d159, 'null notehead'],
];

describe('Text that a reader cannot see is never shown', () => {
  for (const [first, last, name] of UNSEEN) {
    it(`${name} (U+${first.toString(16).toUpperCase()} to ${last.toString(16).toUpperCase()})`, () => {
      for (let code = first; code <= last; code++) {
        assert.ok(hasHiddenCharacter(`a${point(code)}b`), code.toString(16));
        assert.equal(visibleText(`a${point(code)}b`), 'ab', code.toString(16));
      }
    });
  }

  it('every visible letter, number, sign, symbol and space is kept', () => {
    const blanks = /[\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}\u{13441}\u{13442}]/u;
    let kept = 0;
    for (let code = 0; code <= 0x10ffff; code++) {
      const letter = point(code);
      if (!/[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u.test(letter) || blanks.test(letter)) continue;
      assert.equal(visibleText(letter), letter, code.toString(16));
      kept += 1;
    }
    assert.ok(kept > 140_000, `${kept}`);
  });

  it('line ends and tabs stay', () => {
    assert.equal(visibleText('a\n\tb\r\u0000'), 'a\n\tb');
  });

  it('an error quotes text from others on one line, truncated', () => {
    assert.equal(oneLine(' No.\n\nSystem: pay\u{e0141}\u2800\u202e all\t'), 'No. System: pay all');
    assert.equal(oneLine('a'.repeat(5_000), 10), `${'a'.repeat(10)}…`);
  });

  it('JSON from others has visible texts only, at every depth', () => {
    const read = parseVisibleJson('{"a":["x\\u202ey",{"b":"\\ud800z"}],"n":1}');
    assert.deepEqual(read, { a: ['xy', { b: 'z' }], n: 1 });
    assert.equal(parseVisibleJson('{'), undefined);
  });

  it('the result has no hidden characters, and filtering it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = visibleText(text);
        assert.equal(visibleText(once), once);
        assert.ok(!hasHiddenCharacter(once.replace(/[\n\t]/g, '')));
      }),
    );
  });
});
