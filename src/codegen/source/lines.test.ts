import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  beginsLine,
  endsLine,
  indentation,
  lineEnd,
  lineNumber,
  lineStart,
  nextLine,
  offsetOfLine,
} from './lines.ts';

const TEXT = 'one\n  two\r\n\nfour';

describe('a line begins after the previous line ending', () => {
  it('wherever in it the offset is', () => {
    for (const offset of [0, 1, 3]) assert.equal(lineStart(TEXT, offset), 0);
    for (const offset of [4, 6, 10]) assert.equal(lineStart(TEXT, offset), 4);
    assert.equal(lineStart(TEXT, 11), 11);
    assert.equal(lineStart(TEXT, TEXT.length), 12);
  });

  it('and the first one behind a byte order mark', () => {
    assert.equal(lineStart('\uFEFFone\ntwo', 2), 1);
    assert.equal(lineStart('\uFEFFone\ntwo', 6), 5);
    assert.equal(lineStart('\uFEFF', 0), 1);
    assert.equal(lineStart('', 0), 0);
  });
});

describe('a line ends before its line ending', () => {
  it('which may be of one character or of two', () => {
    assert.equal(lineEnd(TEXT, 0), 3);
    assert.equal(lineEnd(TEXT, 3), 3);
    assert.equal(lineEnd(TEXT, 5), 9);
    assert.equal(lineEnd(TEXT, 10), 10);
    assert.equal(lineEnd(TEXT, 11), 11);
    assert.equal(lineEnd(TEXT, 13), TEXT.length);
    assert.equal(lineEnd('\r\n', 0), 0);
  });

  it('and the next begins behind it', () => {
    assert.equal(nextLine(TEXT, 0), 4);
    assert.equal(nextLine(TEXT, 3), 4);
    assert.equal(nextLine(TEXT, 4), 11);
    assert.equal(nextLine(TEXT, 13), TEXT.length);
  });
});

describe('white space at the ends of a line', () => {
  it('in front is its indentation', () => {
    assert.equal(indentation(TEXT, 7), '  ');
    assert.equal(indentation(TEXT, 4), '  ');
    assert.equal(indentation(TEXT, 0), '');
    assert.equal(indentation('\t x', 2), '\t ');
    assert.equal(indentation('a\n\n  b', 2), '');
  });

  it('an offset begins the line when nothing else is before it', () => {
    assert.ok(beginsLine(TEXT, 0));
    assert.ok(beginsLine(TEXT, 6));
    assert.ok(beginsLine('\t x', 2));
    assert.ok(!beginsLine(TEXT, 7));
    assert.ok(!beginsLine('a  b', 3));
    assert.ok(!beginsLine('  a', 3));
  });

  it('an offset ends the line when only comments are behind it', () => {
    for (const rest of ['', ' ', ';', ' ; ', '; // why', ' /* a */', '/* a */ /* b */ ', '\r\nx']) {
      assert.ok(endsLine(`x${rest}`, 1), rest);
    }
    for (const rest of [
      'y',
      ' y',
      '; y',
      ';;',
      ' /* a */ y',
      ' / a',
      ' /* a',
      ' /* a */ b /* c */',
    ]) {
      assert.ok(!endsLine(`x${rest}`, 1), rest);
    }
  });
});

describe('lines are numbered from 1', () => {
  it('a line end belongs to the line that it ends', () => {
    assert.equal(lineNumber(TEXT, 0), 1);
    assert.equal(lineNumber(TEXT, 3), 1);
    assert.equal(lineNumber(TEXT, 4), 2);
    assert.equal(lineNumber(TEXT, 11), 3);
    assert.equal(lineNumber(TEXT, 12), 4);
    assert.equal(lineNumber(TEXT, TEXT.length), 4);
    assert.equal(lineNumber('\nx', 1), 2);
    assert.equal(lineNumber('', 0), 1);
  });

  it('the offset of a line is that of its first word', () => {
    assert.equal(offsetOfLine(TEXT, 1), 0);
    assert.equal(offsetOfLine(TEXT, 2), 6);
    assert.equal(offsetOfLine(TEXT, 3), 11);
    assert.equal(offsetOfLine(TEXT, 4), 12);
    assert.equal(offsetOfLine(TEXT, 5), undefined);
    assert.equal(offsetOfLine('  x', 1), 2);
  });
});
