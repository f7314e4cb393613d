import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  applyEdits,
  type ChangeResult,
  findRoutes,
  removePayment,
} from '../../src/codegen/index.ts';
import { parseSource, syntaxErrors } from '../../src/codegen/source/sourceFile.ts';
import { type CorpusCase, changesOf, corpus, isRefused } from './corpus.ts';
import type { Variant } from './variants.ts';

/** Tests that payments leave the rest of every file of the corpus unchanged, when it is saved in this way. */
export function holdThatChangesKeepTheFile({ name, make, fits = () => true }: Variant): void {
  describe(`whatever the file, the change keeps it: ${name}`, () => {
    for (const each of corpus()) {
      if (isRefused(each) || !fits(each.text)) continue;
      describe(each.name, () => {
        let made: Changed;
        before(() => {
          made = withPayments(each, make(each.text));
        });

        it('the result parses', () => {
          const { changed } = made;
          assert.deepEqual(
            syntaxErrors(parseSource(each.path, changed)).map(({ messageText }) => messageText),
            [],
          );
        });

        it('it has only insertions, and the export removed from a handler', () => {
          const { results, texts } = made;
          for (const [index, result] of results.entries()) {
            if (!result.ok) continue;
            const before = texts[index] ?? '';
            const earlier = results
              .slice(0, index)
              .flatMap((each) => (each.ok ? each.edits.map((edit) => edit.text) : []));
            const taken = result.edits
              .filter(({ length }) => length > 0)
              .map(({ offset, length }) => before.slice(offset, offset + length))
              // What an earlier payment inserted may move, or go.
              .filter((moved) => !/svc-x402|PAYMENT_CONFIG/i.test(moved))
              .filter((gone) => !earlier.some((inserted) => inserted.includes(gone.trim())));
            for (const removed of taken) assert.match(removed, /^export ?$/);
          }
        });

        it('[spec: Editor extension command/5] handlers are equal byte for byte', () => {
          const { text, changed } = made;
          for (const code of handlers(each.path, text)) assert.ok(changed.includes(code), code);
        });

        it('line endings are the file’s', () => {
          const { text, changed } = made;
          const lineEnds = (of: string) => new Set(of.match(/\r?\n/g));
          if (text.includes('\n')) assert.deepEqual(lineEnds(changed), lineEnds(text));
          assert.equal(changed.startsWith('\uFEFF'), text.startsWith('\uFEFF'));
        });

        it('removing restores each previous text', () => {
          const { results, texts, changed } = made;
          let current = changed;
          for (let index = results.length - 1; index >= 0; index -= 1) {
            const result = results[index];
            assert.ok(result?.ok);
            current = withoutPayment(each.path, current, result.route);
            // What moved for a later payment stays in its new place.
            if (!moved(result) && !alike(results)) assert.equal(current, texts[index]);
          }
        });

        it('the order of removing does not matter', () => {
          const { text, results, changed } = made;
          let current = changed;
          for (const result of results) {
            assert.ok(result.ok);
            current = withoutPayment(each.path, current, result.route);
          }
          assert.equal(current, text);
        });

        it('[spec: Editor extension command/3] each route is reported as charged for, and refused a second time', () => {
          const { results, changed } = made;
          for (const result of results) {
            assert.ok(result.ok);
            const again = found(each.path, changed, result.route);
            assert.equal(again.gated, 'marker');
          }
          const at = { ...each, at: [] };
          for (const result of results) {
            assert.ok(result.ok);
            const { range } = found(each.path, changed, result.route);
            const second = changesOf(
              { ...at, at: [changed.slice(range.start, range.end)] },
              changed,
            );
            const [only] = second.results;
            assert.equal(only?.ok === false ? only.refusal.code : 'changed', 'already_gated');
          }
        });
      });
    }
  });
}

/** The result for a file: the results of its payments, and its text before each and after the last. */
interface Changed {
  readonly text: string;
  readonly results: readonly ChangeResult[];
  readonly texts: readonly string[];
  readonly changed: string;
}

function withPayments(each: CorpusCase, text: string): Changed {
  const { results, texts } = changesOf(each, text);
  for (const result of results) assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return { text, results, texts, changed: texts.at(-1) ?? text };
}

function moved(result: ChangeResult): boolean {
  return result.ok && result.edits.some(({ length }) => length > 'export '.length);
}

/** Whether routes of several routers have the same name: their order is not defined. */
function alike(results: readonly ChangeResult[]): boolean {
  const names = results.map((result) => result.ok && `${result.route.method} ${result.route.path}`);
  return new Set(names).size < names.length;
}

interface Named {
  readonly method: string;
  readonly path: string;
}

/** Routers of one file may have the same paths: those that are charged for come first. */
function found(path: string, text: string, { method, path: of }: Named) {
  const routes = findRoutes({ path, text }).filter(
    (route) => route.method === method && route.path === of,
  );
  const route = routes.find(({ gated }) => gated !== undefined) ?? routes[0];
  assert.ok(route, `${method} ${of} is not found`);
  return route;
}

function withoutPayment(path: string, text: string, route: Named): string {
  const { range } = found(path, text, route);
  const result = removePayment({ path, text, offset: range.start });
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return applyEdits(text, result.edits);
}

/** The code of every handler, from its parameters on: names of declarations may change. */
function handlers(path: string, text: string): readonly string[] {
  return findRoutes({ path, text })
    .filter(({ handler }) => handler)
    .map(({ handler }) => text.slice(handler?.start, handler?.end))
    .map((code) => code.slice(Math.max(0, code.search(/[({]/))));
}
