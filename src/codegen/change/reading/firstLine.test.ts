import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits, deletion, inOrder, insertion } from '../../source/edit.ts';
import { parseSource } from '../../source/sourceFile.ts';
import { oldNextVersion } from '../decision/versions.ts';
import { describedBy, serviceName, tagsOf } from '../writing/listing.ts';
import { attachedComment, attachedStart, firstLine } from './firstLine.ts';

describe('a comment belongs to the statement directly below it', () => {
  /** The text from where the last statement begins with its comment. */
  const from = (text: string): string => {
    const file = parseSource('a.ts', text);
    const last = file.statements.at(-1);
    assert.ok(last);
    return text.slice(attachedStart(file, last));
  };

  for (const comment of ['// why', '/** Why. */', '// a\n// b', '/* a */\n// b', '  // why']) {
    it(JSON.stringify(comment), () => {
      assert.equal(from(`a();\n${comment}\nb();`), `${comment}\nb();`);
      assert.equal(from(`${comment}\nb();`), `${comment}\nb();`);
    });
  }

  it('not behind an empty line', () => {
    assert.equal(from('a();\n// why\n\nb();'), 'b();');
    assert.equal(from('a();\n// one\n\n// two\nb();'), '// two\nb();');
  });

  it('two on one line belong to it, and so does one before directives for tools', () => {
    assert.equal(from('a();\n/* a */ /* b */\nb();'), '/* a */ /* b */\nb();');
    assert.equal(from('/* a */ /* b */ b();'), '/* a */ /* b */ b();');
    assert.equal(from('// eslint-disable\n\na();\n// why\nb();'), '// why\nb();');
    assert.equal(from('#!/usr/bin/env node\nb();'), 'b();');
  });

  it('not behind other code', () => assert.equal(from('a(); // why\nb();'), 'b();'));

  for (const comment of [
    '// @ts-check',
    '// @ts-nocheck',
    '/* eslint-disable */',
    '// biome-ignore-all lint: x',
    '// prettier-ignore',
    '/* jshint node: true */',
    '/** @license MIT */',
    '/** @fileoverview x */',
    '// Copyright 2026',
    '/// <reference types="x" />',
    '/** @jsx h */',
    '// @flow',
  ]) {
    it(`${comment} is for the file`, () => assert.equal(from(`${comment}\nb();`), 'b();'));
  }

  it('the complete line counts, and its text is kept', () => {
    assert.equal(from('a();\n  b();'), '  b();');
    const file = parseSource('a.ts', '// none\n\n// one\n/* two */\nb();');
    const [statement] = file.statements;
    assert.ok(statement);
    assert.equal(attachedComment(file, statement), '// one\n/* two */');
  });

  it('the first line of code comes behind directives', () => {
    const first = (text: string) => text.slice(firstLine(parseSource('a.ts', text)));
    assert.equal(first("'use strict';\n// why\na();"), '// why\na();');
    assert.equal(first("'use strict';\n'use server';\na();\nb();"), 'a();\nb();');
    assert.equal(first("'use strict';\n"), '');
    assert.equal(first('a();'), 'a();');
    assert.equal(first('`x`;\na();'), '`x`;\na();');
  });
});

describe('a description is a sentence for people', () => {
  for (const [comment, description] of [
    ['// Tells the weather. And more.', 'Tells the weather.'],
    ['// Tells\n// the weather', 'Tells the weather'],
    ['/** Tells the weather! */', 'Tells the weather!'],
    ['/**\n * Is it cold? Yes.\n */', 'Is it cold?'],
    ['/**\n * Version 1.2 of it.\n */', 'Version 1.2 of it.'],
    ['// Tells it.\n//\n// @param x', 'Tells it.'],
    ['/**\n * Tells it\n * @returns y\n */', 'Tells it'],
    ['// @openapi', undefined],
    ['// -----', undefined],
    ['// ok', undefined],
    ['// TODO: tell it', undefined],
    ['// FIXME tell it', undefined],
    ['// biome-ignore lint: x', undefined],
    ['// prettier-ignore', undefined],
    ['// ts-ignore it', undefined],
    ['// istanbul ignore next', undefined],
    ['// const a = 3;', undefined],
    ['// if (a) { b', undefined],
    ['// x => run it', undefined],
    ['// POST /weather', undefined],
    ['// GET the weather', 'GET the weather'],
    ['', undefined],
  ] as const) {
    it(JSON.stringify(comment), () => assert.equal(describedBy(comment), description));
  }
});

describe('tags and names are short words', () => {
  it('segments without meaning are not tags', () => {
    assert.deepEqual(tagsOf('/api/rest/public/internal/v/v2/cats'), ['cats']);
    assert.deepEqual(tagsOf('/Cats/cats/1x/:id/*/a b'), ['cats']);
    assert.deepEqual(tagsOf('/v2x/data.json'), ['v2x', 'data']);
    assert.deepEqual(tagsOf(`/${'a'.repeat(40)}`), ['a'.repeat(32)]);
  });

  it('a name has no scope and no surrounding white space', () => {
    assert.equal(serviceName('@a/b'), 'b');
    assert.equal(serviceName('a/b'), 'a/b');
    assert.equal(serviceName(' a '), 'a');
    assert.equal(serviceName(`${'a'.repeat(31)} b`), 'a'.repeat(31));
    assert.equal(serviceName(''), undefined);
  });
});

describe('versions of Next.js are compared part by part', () => {
  for (const old of ['16.2.5', '16.1.9', '15', '15.x', '>=15.0.0', '0.1', '16.1', '^16.2.0']) {
    it(`${old} is refused by its version`, () => {
      const refusal = oldNextVersion(old);
      assert.equal(refusal?.code, 'next_version');
      assert.match(refusal?.message ?? '', /16\.2\.6 or later/);
      assert.ok(refusal?.message.includes(`has ${old}.`));
    });
  }
  for (const fine of [
    '16.2.6',
    '16.2.10',
    '16.10.0',
    '160.0.0',
    '16.3.0',
    '16.2',
    '16.2.x',
    '16.*',
    '17',
    'canary',
    '',
  ]) {
    it(`${fine || '(empty)'} is taken`, () => assert.equal(oldNextVersion(fine), undefined));
  }
});

describe('edits are applied in the order of the text', () => {
  it('and those of one place in their own order', () => {
    const edits = [insertion(3, 'c'), insertion(1, 'a'), insertion(1, 'b'), deletion(0, 1)];
    assert.deepEqual(
      inOrder(edits).map(({ text }) => text),
      ['', 'a', 'b', 'c'],
    );
    assert.equal(applyEdits('xyz', edits), 'abyzc');
    assert.equal(applyEdits('xyz', []), 'xyz');
  });

  it('overlapping ones are refused', () => {
    assert.throws(() => applyEdits('xyz', [deletion(0, 2), insertion(1, 'a')]), RangeError);
  });
});
