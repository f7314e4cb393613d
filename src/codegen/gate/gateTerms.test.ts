import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment } from '../change/addPayment.ts';
import { applyEdits } from '../source/edit.ts';
import { gateTerms } from './gateTerms.ts';

const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';

/** A file with a payment before the route at a place. */
function gated(path: string, text: string, at: string): string {
  const facilitatorUrl = 'http://127.0.0.1:4021';
  const offset = text.indexOf(at);
  const result = addPayment({ path, text, offset, price: '0.01', payTo: PAY_TO, facilitatorUrl });
  assert.ok(result.ok, JSON.stringify(result));
  return applyEdits(text, result.edits);
}

describe('what a gate declares of its requests', () => {
  it("is read from the entry of the route, and not from another route's", () => {
    const express = `import express from 'express';
const app = express();
app.get('/weather', (request, response) => response.json({ city: request.query.city ?? 'Lima' }));
app.post('/quote/:symbol', (request, response) => {
  const { amount, note = 'hi' } = request.body;
  response.json({ price: Number(amount) * 2, note });
});
`;
    const both = gated(
      'server.js',
      gated('server.js', express, "app.post('/quote"),
      "app.get('/weather",
    );
    const post = gateTerms({ path: 'server.js', text: both }, 'POST', '/quote/:symbol');
    assert.equal(post?.bodyType, 'json');
    assert.deepEqual(post.input, { amount: 1, note: 'hi' });
    assert.ok(post.pathParamsSchema);
    assert.equal(post.description, 'POST /quote/:symbol');
    const get = gateTerms({ path: 'server.js', text: both }, 'GET', '/weather');
    assert.equal(get?.bodyType, undefined);
    assert.deepEqual(get?.input, { city: 'Lima' });
  });

  it('of a handler of Next.js by the method that is exported', () => {
    const path = 'app/api/quote/route.ts';
    const text = gated(
      path,
      `export async function POST(request: Request) {
  const { amount } = await request.json();
  return Response.json({ amount });
}
`,
      'export',
    );
    const terms = gateTerms({ path, text }, 'POST', '/api/quote');
    assert.equal(terms?.bodyType, 'json', text);
    assert.ok(terms.inputSchema);
    assert.equal(gateTerms({ path, text }, 'GET', '/api/quote'), undefined);
  });

  it('of code that declares nothing there is nothing', () => {
    assert.equal(gateTerms({ path: 'a.js', text: 'app.get("/x")' }, 'GET', '/x'), undefined);
  });
});
