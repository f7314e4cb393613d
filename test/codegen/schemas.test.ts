import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment, applyEdits } from '../../src/codegen/index.ts';
import { TERMS } from './corpus.ts';

/** What is declared for a Fastify route whose querystring is this TypeBox schema. */
function declared(querystring: string): string {
  const text = `import Fastify from 'fastify';
import { Type } from '@sinclair/typebox';
import { unit } from './units.js';

const app = Fastify();
const kelvin = Type.Literal('k');

app.get('/weather', { schema: { querystring: ${querystring} } }, async () => ({ ok: true }));
`;
  const result = addPayment({
    ...TERMS,
    path: 'src/app.ts',
    text,
    offset: text.indexOf("'/weather'"),
  });
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  const changed = applyEdits(text, result.edits);
  return changed.slice(changed.indexOf('declareDiscoveryExtension({')).replaceAll(/\s+/g, ' ');
}

describe('A schema in TypeBox is declared unchanged', () => {
  it('a union of constants is a list of them', () => {
    const union = "Type.Union([Type.Literal('c'), Type.Literal('f')])";
    assert.match(declared(`Type.Object({ unit: ${union} })`), /unit: \{ enum: \['c', 'f'\],? \}/);
  });

  it('another union is one of its parts', () => {
    const union = "Type.Union([Type.Literal('c'), Type.Number()])";
    assert.match(declared(`Type.Object({ unit: ${union} })`), /anyOf: \[/);
  });

  it('a union with an imported part can be anything, and is not an empty list', () => {
    for (const union of ['Type.Union([unit])', "Type.Union([Type.Literal('c'), unit])"]) {
      assert.doesNotMatch(declared(`Type.Object({ unit: ${union} })`), /enum:|anyOf:/, union);
    }
  });

  it('a property can have its schema’s name', () => {
    assert.match(declared('Type.Object({ kelvin })'), /kelvin: \{ const: 'k',? \}/);
  });

  it('optional properties are not required', () => {
    const said = declared('Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) })');
    assert.match(said, /required: \['a'\]/);
  });
});
