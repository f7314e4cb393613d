import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment, applyEdits } from '../../codegen/index.ts';
import { notesInOrder, warningOf } from './notesShown.ts';

const CODE = `import express from 'express';
const app = express();
app.get('/data/:id', (req, res) => res.json({}));
app.get('/data/gold', (req, res) => res.json({ gold: true }));
app.listen(3000);
`;

function added(text: string) {
  const result = addPayment({
    path: '/app/server.mjs',
    text,
    offset: text.indexOf("app.get('/data/gold'"),
    price: '0.01',
    payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
    facilitatorUrl: 'http://127.0.0.1:4021',
  });
  assert.ok(result.ok, JSON.stringify(result));
  assert.notEqual(applyEdits(text, result.edits), text);
  return result;
}

describe('[finding: E1] a note that changes what is paid', () => {
  it('is a warning before the change, and the first of the notes in the preview', () => {
    const { notes } = added(CODE);
    assert.match(warningOf(notes) ?? '', /Line 3 .* answers the same requests before this route/);
    const [first, ...others] = notesInOrder(notes);
    assert.equal(first?.heading, 'Changes what is paid');
    assert.match(first.sentence, /asks for no payment/);
    assert.ok(others.length > 0);
    assert.ok(others.every(({ heading }) => heading === 'Good to know'));
    assert.equal(notesInOrder(notes).length, notes.length);
  });

  it('is not made up: a plain route has information only', () => {
    const { notes } = added(CODE.replace("'/data/:id'", "'/other/:id'"));
    assert.equal(warningOf(notes), undefined);
    assert.ok(notesInOrder(notes).length > 0);
  });
});
