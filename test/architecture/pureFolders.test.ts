import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ts } from 'ts-morph';

const root = fileURLToPath(new URL('../..', import.meta.url));

const pureFolders = [
  'common',
  'src/protocol',
  'src/codegen',
  'src/seller',
  'src/server/search',
  'network/src/state',
  'network/src/transaction',
];

/** What touches the machine, in a folder whose other files are pure. */
const machine = join(root, 'common/machine');

/** Globals that would bring in a clock or randomness; imports are held by the import rules. */
const impure =
  /\b(Date\.now|new Date\(\)|performance\.|Math\.random|setTimeout|setInterval|setImmediate|randomBytes|randomUUID|randomInt|getRandomValues|process\.(env|hrtime|cwd|argv)|fetch\()/;

function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path === machine ? [] : sources(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** Code without comments and literals: code that writes code has much in its texts. */
function code(path: string): string {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const parts: string[] = [];
  let at = 0;
  const look = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node)) {
      parts.push(file.text.slice(at, node.getStart(file)));
      at = node.end;
    }
    ts.forEachChild(node, look);
  };
  look(file);
  parts.push(file.text.slice(at));
  return parts
    .join("''")
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
}

describe('pure folders get time and randomness as arguments', () => {
  for (const folder of pureFolders) {
    it(folder, () => {
      const found = sources(join(root, folder)).flatMap((path) => {
        const match = impure.exec(code(path));
        return match ? [`${path.slice(root.length)}: ${match[0]}`] : [];
      });
      assert.deepEqual(found, []);
    });
  }
});
