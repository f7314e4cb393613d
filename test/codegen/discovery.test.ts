import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ts } from 'ts-morph';
import { parseSource } from '../../src/codegen/source/sourceFile.ts';
import { walk } from '../../src/codegen/source/syntax.ts';
import { calledName } from '../../src/codegen/source/values.ts';
import { canonicalPackage, NOT_INSTALLED } from '../support/canonical.ts';
import { changesOf, corpus } from './corpus.ts';

interface Bazaar {
  declareDiscoveryExtension(config: unknown): { bazaar: Declaration };
  validateDiscoveryExtension(declaration: Declaration): { valid: boolean; errors?: string[] };
  bazaarResourceServerExtension: {
    enrichDeclaration(declaration: Declaration, context: unknown): Declaration;
  };
}

interface Declaration {
  readonly info: { readonly input: object; readonly output?: object };
  readonly routeTemplate?: string;
}

/** The arguments of `declareDiscoveryExtension` in a text, evaluated: they are literals. */
function declarations(path: string, text: string): readonly unknown[] {
  const found: unknown[] = [];
  walk(parseSource(path, text), (node) => {
    if (!ts.isCallExpression(node) || calledName(node) !== 'declareDiscoveryExtension') return;
    found.push(new Function(`return ${node.arguments[0]?.getText()}`)());
  });
  return found;
}

describe('[spec: Discovery extension declaration/Declaration] the published package accepts the generated discovery declarations', () => {
  const bazaar = canonicalPackage<Bazaar>('@x402/extensions/bazaar');
  if (!bazaar) {
    it.skip(NOT_INSTALLED, () => {});
    return;
  }
  for (const each of corpus()) {
    const { results, texts } = changesOf(each, each.text);
    if (results.some(({ ok }) => !ok)) continue;
    it(each.name, () => {
      const configs = declarations(each.path, texts.at(-1) ?? '');
      assert.equal(configs.length, results.length);
      for (const [index, config] of configs.entries()) {
        const route = results.flatMap((result) => (result.ok ? [result.route] : []))[index];
        assert.ok(route);
        const { bazaar: declared } = bazaar.declareDiscoveryExtension(config);
        const request = route.path.replaceAll(/\[+[^\]]+\]+|:\w+|\*/g, 'one');
        for (const routePattern of [route.path, '*']) {
          const enriched = bazaar.bazaarResourceServerExtension.enrichDeclaration(declared, {
            method: route.method,
            routePattern,
            adapter: { getPath: () => request },
          });
          const { valid, errors } = bazaar.validateDiscoveryExtension(enriched);
          assert.ok(valid, errors?.join('\n'));
          assert.ok(declared.info.output, 'an example of the answer is declared');
        }
      }
    });
  }
});
