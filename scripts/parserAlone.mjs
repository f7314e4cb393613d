// An esbuild plugin that bundles only TypeScript's parser with the code generator. See docs/decisions/0088.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';

const COMPILER = join('@ts-morph', 'common', 'dist', 'typescript.js');
/** Code that TypeScript runs on load for its language service and for debugging. */
const NOT_OURS = [/^registerRefactor\(/, /^registerCodeFix\(/, /^if \(sys && sys\./];
const OTHER_FORM = 'TypeScript does not have the expected form.';

/** @param folder of the sources whose uses of `ts.…` the bundle must provide */
export function parserAlone(folder) {
  return {
    name: 'parser-alone',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^ts-morph$/ }, ({ resolveDir }) => {
        const morph = createRequire(join(resolveDir, 'from.js')).resolve('ts-morph');
        return { path: createRequire(morph).resolve('@ts-morph/common/dist/typescript.js') };
      });
      onLoad({ filter: /[\\/]typescript\.js$/ }, ({ path }) =>
        path.endsWith(COMPILER)
          ? { contents: shaken(readFileSync(path, 'utf8'), namesUsed(folder)) }
          : undefined,
      );
    },
  };
}

/** The names after `ts.` in these sources, including types. */
function namesUsed(folder) {
  const files = readdirSync(folder, { recursive: true }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const uses = files.flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(/\bts\.([A-Za-z]\w*)/g),
  ]);
  return new Set(uses.map(([, name]) => name));
}

/**
 * Rewrites TypeScript's single file as an ES module that exports these names as `ts`, with each variable's initializer marked
 * as free of side effects. esbuild then omits everything unreachable: checker, emitter and language service.
 */
function shaken(file, names) {
  const source = ts.createSourceFile('typescript.js', body(file), ts.ScriptTarget.Latest, false);
  const { statements } = source;
  const variables = new Set(statements.flatMap(variableNames));
  const filled = fillings(statements, source, variables);
  const code = statements.map((statement) => rewritten(statement, source, filled)).join('\n');
  const declared = new Set([...variables, ...statements.flatMap(functionName)]);
  if (!declared.has('createSourceFile') || !declared.has('NodeObject')) throw new Error(OTHER_FORM);
  const exported = [...names].filter((name) => declared.has(name)).join(', ');
  const licence = file.slice(0, file.indexOf('*/') + 2);
  // Each diagnostic is a separate variable, so that those of the checker are omitted.
  const split = code.replace(/\bDiagnostics\.(\w+)/g, 'Diagnostics_$1');
  return `${licence}\n${split}\nexport const ts = { ${exported} };`;
}

/** The content of the function that wraps the file, without the exports. */
function body(file) {
  const exports = /^__export\(typescript_exports, \{[\s\S]*?^\}\);\nmodule\.exports = .*;\n/m;
  const [begin, end] = [
    file.indexOf('"use strict";\n'),
    file.lastIndexOf('// Annotate the CommonJS'),
  ];
  if (begin < 0 || end < 0 || !exports.test(file)) throw new Error(OTHER_FORM);
  return file.slice(begin, end).replace(exports, '');
}

const functionName = (statement) =>
  ts.isFunctionDeclaration(statement) ? [statement.name.text] : [];

const variableNames = (statement) =>
  ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name.text)
    : [];

/**
 * Statements that only assign members of a variable belong to its initializer.
 * @returns the statements by the variable's name, in order
 */
function fillings(statements, source, variables) {
  const found = new Map();
  for (const statement of statements) {
    const name = filledBy(statement, source);
    if (name !== undefined && variables.has(name)) {
      found.set(name, [...(found.get(name) ?? []), statement]);
    }
  }
  return found;
}

/** `((It) => {…})(It || (It = {}))`, `__export(it, {…})` or `It.member = …`. */
function filledBy(statement, source) {
  if (!ts.isExpressionStatement(statement)) return undefined;
  const { expression } = statement;
  if (ts.isBinaryExpression(expression) && ts.isPropertyAccessExpression(expression.left)) {
    return expression.left.expression.getText(source);
  }
  if (!ts.isCallExpression(expression)) return undefined;
  const [given] = expression.arguments;
  if (expression.expression.getText(source) === '__export') return given.getText(source);
  return given && /^(\w+) \|\| \(\1 = \{\}\)$/.exec(given.getText(source))?.[1];
}

function rewritten(statement, source, filled) {
  const text = statement.getText(source);
  if (functionName(statement)[0] === 'getServicesObjectAllocator') return ALLOCATOR;
  if (ts.isVariableStatement(statement)) {
    const { declarations } = statement.declarationList;
    return declarations.map((one) => variable(one, source, filled)).join('\n');
  }
  const name = filledBy(statement, source);
  if (filled.get(name)?.includes(statement)) return '';
  return NOT_OURS.some((effect) => effect.test(text)) ? '' : text;
}

function variable({ name: { text: name }, initializer }, source, filled) {
  const value = initializer?.getText(source);
  if (name === 'Diagnostics') {
    return initializer.properties
      .map((one) =>
        pure(`Diagnostics_${one.name.text}`, `return ${one.initializer.getText(source)};`),
      )
      .join('\n');
  }
  const members = filled.get(name);
  if (members === undefined) return value ? pure(name, `return ${value};`) : `var ${name};`;
  // It is declared inside under its own name, because its filling statements can refer to it.
  const filling = members.map((statement) => statement.getText(source)).join('\n');
  return pure(name, `let ${name} = ${value ?? '{}'};\n${filling}\nreturn ${name};`);
}

function pure(name, making) {
  return `var ${name} = /* @__PURE__ */ (() => { ${making} })();`;
}

/** The language service's syntax objects, whose methods (`getText`, `getStart`) are used here. */
const ALLOCATOR = `function getServicesObjectAllocator() {
  return {
    getNodeConstructor: () => NodeObject,
    getTokenConstructor: () => TokenObject,
    getIdentifierConstructor: () => IdentifierObject,
    getPrivateIdentifierConstructor: () => PrivateIdentifierObject,
    getSourceFileConstructor: () => SourceFileObject,
  };
}`;
