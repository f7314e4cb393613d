import { ts } from 'ts-morph';
import { markedBlocks } from '../gate/markers.ts';
import { type ExportList, notedExports } from '../routes/exportLists.ts';
import { deletion, type Edit, insertion } from '../source/edit.ts';
import { readStyle } from '../source/style.ts';
import { withName } from './sharedExports.ts';

/** Restores a handler's export and name; `undefined` if it is not found. */
export function restoreExport(file: ts.SourceFile, method: string): readonly Edit[] | undefined {
  const noted = notedExports(file).find(
    ({ list, rest }) => has(list, method) && !has(rest?.list, method),
  );
  if (noted) return withName(file.text, noted, method, readStyle(file));
  const renamed = renamedBy(file, method);
  for (const statement of file.statements) {
    const name = declaredName(statement);
    if (name && ts.isIdentifier(name) && renamed(name.text)) {
      return [
        insertion(statement.getStart(file), 'export '),
        deletion(name.getStart(file) + method.length, name.end),
      ];
    }
    if (ts.isImportDeclaration(statement)) {
      const restored = restoreFrom(file, statement, method, renamed);
      if (restored) return restored;
    }
  }
  return undefined;
}

function declaredName(statement: ts.Statement): ts.BindingName | undefined {
  if (ts.isFunctionDeclaration(statement)) return statement.name;
  return ts.isVariableStatement(statement)
    ? statement.declarationList.declarations[0]?.name
    : undefined;
}

function has(list: ExportList | undefined, method: string): boolean {
  return list?.members.some(({ name }) => name === method) ?? false;
}

/** Recognizes the name by which a block calls the handler; the file can have others of that form. */
function renamedBy(file: ts.SourceFile, method: string): (name: string) => boolean {
  const form = new RegExp(`^(?:x402)?${method}_impl\\d*$`);
  const called = new Set(
    markedBlocks(file.text).flatMap(({ start, end }) => file.text.slice(start, end).split(/\W+/)),
  );
  return (name) => form.test(name) && called.has(name);
}

/** `import { GET as GET_impl } from './x'` was `export { GET } from './x'`. */
function restoreFrom(
  file: ts.SourceFile,
  statement: ts.ImportDeclaration,
  method: string,
  renamed: (name: string) => boolean,
): readonly Edit[] | undefined {
  const list = statement.importClause?.namedBindings;
  if (!list || !ts.isNamedImports(list)) return undefined;
  const [element, second] = list.elements;
  if (!element?.propertyName || second || !renamed(element.name.text)) return undefined;
  const start = statement.getStart(file);
  const name =
    element.propertyName.text === method
      ? deletion(element.propertyName.end, element.name.end)
      : { offset: element.name.getStart(file), length: element.name.text.length, text: method };
  return [{ offset: start, length: 'import'.length, text: 'export' }, name];
}
