import { ts } from 'ts-morph';
import { BLOCK_BEGIN, BLOCK_END } from '../gate/markers.ts';
import type { PaymentBlock } from '../gate/paymentBlocks.ts';
import type { ExportedHandler } from '../routes/foundRoute.ts';
import { isRefusal } from '../routes/pathPattern.ts';
import { type Refusal, refuse } from '../routes/route.ts';
import { type Edit, insertion } from '../source/edit.ts';
import { beginsLine, lineNumber, lineStart } from '../source/lines.ts';
import { isTypeScript } from '../source/sourceFile.ts';
import { walk } from '../source/syntax.ts';
import {
  type ChangeContext,
  configOf,
  existingSettings,
  joinLines,
  settingsWithPayTo,
} from './context.ts';
import { addImports, type Needed } from './imports.ts';
import { oldNextVersion } from './nextVersion.ts';
import { handlerShape, wrapperLines } from './nextWrapper.ts';
import { discoveryImport, settingsImports, settingsLines } from './settings.ts';

/** Ends the name of a handler whose export was taken over (spec: Editor extension command). */
const IMPL = '_impl';

/**
 * The edits that wrap an exported handler of the App Router: the handler keeps its code under
 * another name, and what is exported asks for the payment first.
 */
export function nextChange(context: ChangeContext): readonly Edit[] | Refusal {
  const { file, route, style, names, blocks, terms, input } = context;
  const { exported, method } = route;
  if (!exported)
    return refuse('layout_not_supported', `How ${method} is exported is not supported.`);
  const old = oldNextVersion(input.nextVersion ?? input.versions?.next);
  if (old) return old;
  const impl = exported.form === 'list' ? exported.name.text : names.numbered(`${method}${IMPL}`);
  const freed = freeExport(context, exported, impl);
  if (isRefusal(freed)) return freed;
  const found = existingSettings(blocks);
  const shape = handlerShape(context, exported);
  const needed: Needed[] = [
    ...(found ? [] : settingsImports('next-app')),
    { module: '@x402/next', name: 'withX402' },
    discoveryImport(),
    ...(shape.converts ? [{ module: 'next/server', name: 'NextResponse' }] : []),
  ];
  const imported = addImports(file, needed, style, names, file.end);
  const { lines: above, names: settings } = found
    ? { lines: [], names: settingsWithPayTo(context, found.settings) }
    : settingsLines(terms, imported, names, style);
  const declare = imported.local('declareDiscoveryExtension');
  const { code } = configOf(context, settings, declare, exported.statement);
  const lines = wrapperLines({
    method,
    impl,
    shape,
    config: code,
    server: settings.server,
    wrap: imported.local('withX402'),
    response: imported.local('NextResponse'),
    typed: isTypeScript(file.fileName),
    headToo: method === 'GET' && !exportsHead(file),
    style,
  });
  const block = found
    ? appended(context, found.block, lines)
    : created(context, [...above, '', ...lines]);
  return [...imported.edits, ...freed, block];
}

/** Takes the export away from the handler and gives it its new name. */
function freeExport(
  { file, route }: ChangeContext,
  { form, statement, name }: ExportedHandler,
  impl: string,
): readonly Edit[] | Refusal {
  const { text } = file;
  const start = statement.getStart(file);
  if (form === 'list') {
    if (text.slice(start, statement.end).includes('\n') || !beginsLine(text, start)) {
      return refuse(
        'layout_not_supported',
        `Give the export of ${route.method} a line of its own.`,
      );
    }
    return [insertion(start, `// ${LIST_NOTE}`)];
  }
  const used = usedElsewhere(file, name, statement);
  if (used !== undefined) {
    return refuse(
      'handler_used_elsewhere',
      `${name.text} is used in line ${used} too, where it would become the paid one. Give the handler a name of its own and export it as ${name.text}.`,
    );
  }
  const keyword = exportKeyword(file, statement);
  // What is taken away has to come back: exactly `export ` .
  if (keyword === undefined || text[keyword + EXPORT.length] !== ' ') {
    return refuse('layout_not_supported', `Write export and ${route.method} on one line.`);
  }
  if (form === 'from') {
    const local = name.parent;
    const same = ts.isExportSpecifier(local) && local.propertyName === undefined;
    const rename = same ? insertion(name.end, ` as ${impl}`) : renamed(file, local, impl);
    return [{ offset: keyword, length: EXPORT.length, text: 'import' }, rename];
  }
  return [
    { offset: keyword, length: EXPORT.length + 1, text: '' },
    insertion(name.end, impl.slice(name.text.length)),
  ];
}

const EXPORT = 'export';

/** Stands before an export list whose only handler is now exported by the block. */
export const LIST_NOTE = 'svc-x402: paid below: ';

/** `{ handler as GET }` of a list from another file becomes `{ handler as GET_impl }`. */
function renamed(file: ts.SourceFile, specifier: ts.Node, impl: string): Edit {
  const exported = ts.isExportSpecifier(specifier) ? specifier.name : specifier;
  return {
    offset: exported.getStart(file),
    length: exported.end - exported.getStart(file),
    text: impl,
  };
}

function exportKeyword(file: ts.SourceFile, statement: ts.Statement): number | undefined {
  if (ts.isExportDeclaration(statement)) return statement.getStart(file);
  if (!ts.canHaveModifiers(statement)) return undefined;
  return ts
    .getModifiers(statement)
    ?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    ?.getStart(file);
}

/** The line of another use of a name than its declaration. */
function usedElsewhere(
  file: ts.SourceFile,
  name: ts.Identifier,
  statement: ts.Statement,
): number | undefined {
  if (ts.isExportDeclaration(statement)) return undefined;
  let line: number | undefined;
  walk(file, (node) => {
    if (line !== undefined || node === name || !ts.isIdentifier(node) || node.text !== name.text)
      return;
    const { parent } = node;
    const member =
      (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      (ts.isPropertyAssignment(parent) && parent.name === node) ||
      (ts.isTypeNode(parent) && !ts.isTypeQueryNode(parent));
    if (!member) line = lineNumber(file.text, node.getStart(file));
  });
  return line;
}

function exportsHead(file: ts.SourceFile): boolean {
  return /\bexport\b[^;{]*\bHEAD\b|\bas HEAD\b|\{[^}]*\bHEAD\b[^}]*\}/.test(file.text);
}

/** A block at the end of the file, where every handler exists already. */
function created({ file, style }: ChangeContext, lines: readonly string[]): Edit {
  const end = file.text.trimEnd().length;
  const block = joinLines([`// ${BLOCK_BEGIN}`, ...lines, `// ${BLOCK_END}`], '', style);
  return insertion(end, style.eol + style.eol + block);
}

function appended(
  { file, style }: ChangeContext,
  block: PaymentBlock,
  lines: readonly string[],
): Edit {
  const at = lineStart(file.text, block.range.end);
  return insertion(at, style.eol + joinLines(lines, '', style) + style.eol);
}
