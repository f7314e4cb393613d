import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ts } from 'ts-morph';
import {
  type Attack,
  attacksOn,
  attackText,
  type CountedPattern,
  countedPattern,
  isUnbounded,
  stepsOf,
} from '../helpers/patternSteps.ts';

/** Everything that reads a file, an output or an answer of somebody else in the editor and in the commands about code. */
const FOLDERS = ['src/codegen', 'src/extension', 'src/cli/code', 'src/cli/check'];

interface TextPattern {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

function patternsOf(path: string): readonly TextPattern[] {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: TextPattern[] = [];
  const look = (node: ts.Node): void => {
    const place = () =>
      `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({
        place: place(),
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    if (ts.isNewExpression(node) && node.expression.getText(file) === 'RegExp') {
      const [pattern, flags] = node.arguments ?? [];
      const source = pattern && written(pattern, file);
      assert.ok(source !== undefined, `${place()} hides its pattern from this test`);
      const given = flags && ts.isStringLiteral(flags) ? flags.text : '';
      found.push({ place: place(), source, flags: given });
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

/** The text of a pattern that is put together; a name stands for what is put in. */
function written(node: ts.Expression, file: ts.SourceFile): string | undefined {
  if (ts.isTaggedTemplateExpression(node)) {
    return node.template
      .getText(file)
      .slice(1, -1)
      .replaceAll(/\$\{[^}]*\}/g, 'name');
  }
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `name${literal.text}`).join('');
}

interface Growth {
  /** How much the steps grow when a text becomes twice as long: 2 if they are in proportion to it. */
  readonly growth: number;
  readonly attack: Attack | undefined;
}

function worstGrowth(pattern: CountedPattern): Growth {
  let worst: Growth = { growth: 2, attack: undefined };
  if (!isUnbounded(pattern)) return worst;
  for (const attack of attacksOn(pattern)) {
    const steps = (times: number) => stepsOf(pattern, attackText(attack, times));
    if (steps(24) < 2.4 * steps(12)) continue;
    const most = steps(600);
    const growth = most === Number.POSITIVE_INFINITY ? most : most / steps(300);
    if (growth > worst.growth) worst = { growth, attack };
    if (growth > 100) break;
  }
  return worst;
}

const patterns = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .sort()
  .flatMap(patternsOf);

const byPattern = new Map<string, TextPattern[]>();
for (const pattern of patterns) {
  const key = `/${pattern.source}/${pattern.flags}`;
  byPattern.set(key, [...(byPattern.get(key) ?? []), pattern]);
}

describe('[finding: W5] text patterns over what others wrote', () => {
  it('are told apart by their steps: linear, quadratic and endless', () => {
    const growth = (source: string) => Math.round(worstGrowth(countedPattern(source, '')).growth);
    assert.equal(growth('<a\\s*='), 2);
    assert.equal(growth('<[^>]+>'), 4);
    assert.equal(growth('^(.*?)\\s*$'), 4);
    assert.equal(growth('^(a+)+$'), Number.POSITIVE_INFINITY);
  });

  it('are found in the folders that read code', () => {
    assert.ok(patterns.length > 300, `${patterns.length} patterns`);
  });

  for (const [pattern, places] of byPattern) {
    const [{ source = '', flags = '' } = {}] = places;
    it(`${pattern} takes steps in proportion to the text`, () => {
      const { growth, attack } = worstGrowth(countedPattern(source, flags));
      const where = places.map(({ place }) => place).join(', ');
      assert.ok(growth < 2.6, `${where} grows by ${growth}: ${JSON.stringify(attack)}`);
    });
  }
});
