import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment, applyEdits, notesToAccept, removePayment } from '../../src/codegen/index.ts';
import { TERMS } from './corpus.ts';

const APP = "import express from 'express';\nconst app = express();\n";

/** The text with a payment before the route that holds `at`. */
function put(text: string, at: string): string {
  const result = addPayment({ ...TERMS, path: 'src/app.ts', text, offset: text.indexOf(at) });
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return applyEdits(text, result.edits);
}

function notes(text: string, at: string): string {
  const result = addPayment({ ...TERMS, path: 'src/app.ts', text, offset: text.indexOf(at) });
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return result.notes.map(({ sentence }) => sentence).join('\n');
}

describe('a change has notes for the user', () => {
  it('another route answers the same requests first', () => {
    const text = `${APP}app.get('/users/:id', (req, res) => res.json({}));\napp.get('/users/me', (req, res) => res.json({}));\n`;
    assert.match(
      notes(text, "'/users/me'"),
      /Line 3 \(GET \/users\/:id\) answers the same requests/,
    );
    assert.doesNotMatch(notes(text, "'/users/:id'"), /answers the same/);
  });

  it('the URL behind a proxy, HEAD, and the place of the address', () => {
    const said = notes(`${APP}app.get('/x', (req, res) => res.json({}));\n`, "'/x'");
    for (const fact of [
      /trust proxy/,
      /HEAD answers 200/,
      /FACILITATOR_URL/,
      new RegExp(TERMS.payTo),
    ]) {
      assert.match(said, fact);
    }
  });

  it('a second payment uses the address and the facilitator from the file’s settings', () => {
    const text = `${APP}app.get('/x', (req, res) => res.json({}));\napp.get('/y', (req, res) => res.json({}));\n`;
    const one = put(text, "'/x'");
    const said = notes(one, "app.get('/y'");
    assert.match(said, new RegExp(`GET /y pays ${TERMS.payTo}`));
    assert.match(said, /this file's payment settings/);
    assert.doesNotMatch(said, /FACILITATOR_URL/);
    const computed = notes(one.replace(`'${TERMS.payTo}'`, 'process.env.PAY_TO'), "app.get('/y'");
    assert.match(computed, /GET \/y pays PAYMENT_CONFIG\.payToAddress, which the code/);
    assert.doesNotMatch(computed, new RegExp(TERMS.payTo));
  });

  it('names alone identify the framework', () => {
    const said = notes(
      "export default (app) => {\n  app.get('/x', (req, res) => res.json({}));\n};\n",
      "'/x'",
    );
    assert.match(said, /Only names suggest that app belongs to express/);
  });
});

describe('notes that change what is paid have to be accepted, and the others do not', () => {
  const toAccept = (text: string, at: string, framework?: 'express') => {
    const result = addPayment({
      ...TERMS,
      path: 'src/app.ts',
      text,
      offset: text.indexOf(at),
      framework,
    });
    assert.ok(result.ok);
    return notesToAccept(result.notes).map(({ id }) => id);
  };

  it('a route that another one answers before', () => {
    const text = `${APP}app.get('/users/:id', (req, res) => res.json({}));\napp.get('/users/me', (req, res) => res.json({}));\n`;
    assert.deepEqual(toAccept(text, "'/users/me'"), ['answered_before']);
    assert.deepEqual(toAccept(text, "'/users/:id'"), []);
  });

  it('a framework that only names suggest, unless the user names it', () => {
    const text = "export default (app) => {\n  app.get('/x', (req, res) => res.json({}));\n};\n";
    assert.deepEqual(toAccept(text, "'/x'"), ['guessed_framework']);
    assert.deepEqual(toAccept(text, "'/x'", 'express'), []);
  });

  it('one that was accepted by its name is not asked for again', () => {
    const notes = [{ kind: 'changes_payment', id: 'edge_runtime', sentence: '' }] as const;
    assert.deepEqual(notesToAccept(notes, ['edge_runtime']), []);
    assert.equal(notesToAccept(notes, ['head']).length, 1);
  });
});

describe('routes of a Fastify instance and of its plugins have gates side by side', () => {
  it('a plugin inside an instance that has a gate', () => {
    const text = [
      "import Fastify from 'fastify';",
      'const app = Fastify();',
      "app.get('/outer', async () => ({ a: 1 }));",
      'app.register(async (child) => {',
      "  child.get('/inner', async () => ({ b: 1 }));",
      '});',
      '',
    ].join('\n');
    const changed = put(text, "'/outer'");
    const second = addPayment({
      ...TERMS,
      path: 'src/app.ts',
      text: changed,
      offset: changed.indexOf("'/inner'"),
    });
    assert.ok(second.ok);
    const both = applyEdits(changed, second.edits);
    assert.match(both, /forRoute\(child, 'GET', '\/inner'\)/);
  });
});

describe('an edited block is left to its author', () => {
  const text = `${APP}app.get('/x', (req, res) => res.json({}));\n`;
  const changed = put(text, "'/x'");

  it('an added statement between the marks stops remove, which names its line', () => {
    const edited = changed.replace('// svc-x402: end', "console.log('mine');\n// svc-x402: end");
    const result = removePayment({
      path: 'src/app.ts',
      text: edited,
      offset: edited.indexOf("'/x',"),
    });
    assert.equal(result.ok ? '' : result.refusal.code, 'block_edited');
  });

  it('other values in it do not matter, and are removed with it', () => {
    const edited = changed
      .replace('$0.01', '$2.50')
      .replace('maxTimeoutSeconds: 60', 'maxTimeoutSeconds: 90');
    const result = removePayment({
      path: 'src/app.ts',
      text: edited,
      offset: edited.indexOf("get('/x'"),
    });
    assert.ok(result.ok);
    assert.equal(applyEdits(edited, result.edits), text);
  });
});
