import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escapeControls } from './escapeControls.ts';

describe('M10: a stranger’s text on a terminal', () => {
  for (const [name, text, escaped] of [
    ['that moves the cursor', 'paid\u001b[1A\u001b[2K', 'paid\\u{1b}[1A\\u{1b}[2K'],
    ['that uses the one-byte form', '\u009b2J', '\\u{9b}2J'],
    ['that returns to the start of the line', 'paid 5\rpaid 1', 'paid 5\\u{d}paid 1'],
    ['that deletes', 'a\b\u007f', 'a\\u{8}\\u{7f}'],
    ['that sets the title', '\u001b]0;root\u0007', '\\u{1b}]0;root\\u{7}'],
    ['that turns the direction', 'a\u202eb\u2066', 'a\\u{202e}b\\u{2066}'],
    ['that breaks a line unseen', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
    ['with an invisible tag', 'a\u{e0041}', 'a\\u{e0041}'],
  ] as const) {
    it(`${name} is escaped`, () => {
      assert.equal(escapeControls(text), escaped);
    });
  }

  it('keeps lines, tabs, letters of all languages and emoji', () => {
    const text = 'Wetter:\tmild\nقطران نسیم\n天気 👩‍🔬 ❤️';
    assert.equal(escapeControls(text), text);
  });
});
