import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../source/edit.ts';
import { addPayment } from './addPayment.ts';
import { routeDescription } from './routeDescription.ts';

const TERMS = {
  price: '0.01',
  payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
  facilitatorUrl: 'http://127.0.0.1:4021',
};
const app = (comment: string) =>
  `import express from 'express';\nconst app = express();\n${comment}app.get('/weather', (q, r) => r.json({}));\n`;
const input = (text: string, description?: string) => ({
  ...TERMS,
  path: 'app.js',
  text,
  offset: text.indexOf('app.get'),
  description,
});

function written(text: string, description?: string): string {
  const result = addPayment(input(text, description));
  assert.ok(result.ok, JSON.stringify(result));
  return applyEdits(text, result.edits);
}

describe('What a buyer gets', () => {
  it('is the caller’s description, on one line, without a TODO', () => {
    const code = written(app(''), ' The weather\n of a "city". ');
    assert.match(code, /description: 'The weather of a "city"\.'/);
    assert.doesNotMatch(code, /TODO: say what a buyer gets/);
  });

  it('is the comment above the route, or a TODO, without a description from the caller', () => {
    for (const nothing of [undefined, '', '  ']) {
      assert.match(written(app('// Tells the weather.\n'), nothing), /'Tells the weather\.'/);
      assert.match(written(app(''), nothing), /TODO: say what a buyer gets/);
    }
  });

  it('from the caller takes precedence over the comment', () => {
    assert.match(written(app('// Tells the weather.\n'), 'Forecasts'), /description: 'Forecasts'/);
  });

  it('is at most as long as a catalog lists', () => {
    const [, listed = ''] = /description:\s+'(x+)'/.exec(written(app(''), 'x'.repeat(900))) ?? [];
    assert.equal(listed.length, 256);
  });

  it('can be read from the comment before anything is written', () => {
    assert.equal(routeDescription(input(app('// Tells the weather.\n'))), 'Tells the weather.');
    assert.equal(routeDescription(input(app(''))), undefined);
    assert.equal(routeDescription({ ...input(app('')), path: 'notes.txt' }), undefined);
  });
});
