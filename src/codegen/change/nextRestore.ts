import { ts } from 'ts-morph';
import { markedBlocks } from '../gate/markers.ts';
import { LIST_NOTE } from '../routes/listNote.ts';
import { deletion, type Edit, insertion } from '../source/edit.ts';

/** Gives a handler its export and its name back; `undefined` where it is not found. */
export function restoreExport(file: ts.SourceFile, method: string): readonly Edit[] | undefined {
  const member = restoreMember(file.text, method);
  if (member) return member;
  const renamed = renamedBy(file, method);
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name && renamed(statement.name.text)) {
      return [
        insertion(statement.getStart(file), 'export '),
        deletion(statement.name.getStart(file) + method.length, statement.name.end),
      ];
    }
    if (ts.isVariableStatement(statement)) {
      const [declaration] = statement.declarationList.declarations;
      const name = declaration?.name;
      if (!name || !ts.isIdentifier(name) || !renamed(name.text)) continue;
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
  const note = new RegExp(
    `^([ \\t]*)// ${LIST_NOTE}(?=export \\{[^\\n]*\\b${method}\\b)`,
    'm',
  ).exec(file.text);
  if (!note) return undefined;
  const start = note.index + (note[1]?.length ?? 0);
  return [deletion(start, note.index + note[0].length)];
}

/** A member of a list or pattern, which became a comment. */
function restoreMember(text: string, method: string): readonly Edit[] | undefined {
  const front = `/\\* ${LIST_NOTE}`;
  const note = new RegExp(`${front}(?:[\\w$]+\\s*(?::|\\bas\\b)\\s*)?${method},? \\*/`).exec(text);
  if (!note) return undefined;
  const end = note.index + note[0].length;
  return [
    deletion(note.index, note.index + `/* ${LIST_NOTE}`.length),
    deletion(end - ' */'.length, end),
  ];
}

/** Recognizes the name that a block calls the handler by; the file may have others of that form. */
function renamedBy(file: ts.SourceFile, method: string): (name: string) => boolean {
  const form = new RegExp(`^(?:x402)?${method}_impl\\d*$`);
  const called = new Set(
    markedBlocks(file.text).flatMap(
      ({ start, end }) => file.text.slice(start, end).match(/\w+/g) ?? [],
    ),
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
  if (!list || !ts.isNamedImports(list) || list.elements.length !== 1) return undefined;
  const [element] = list.elements;
  if (!element?.propertyName || !renamed(element.name.text)) return undefined;
  const start = statement.getStart(file);
  const name =
    element.propertyName.text === method
      ? deletion(element.propertyName.end, element.name.end)
      : { offset: element.name.getStart(file), length: element.name.text.length, text: method };
  return [{ offset: start, length: 'import'.length, text: 'export' }, name];
}
