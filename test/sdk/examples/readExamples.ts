import ts from 'typescript';

/** An example of a doc comment. */
export interface Example {
  /** What it is an example of. */
  readonly of: string;
  /** What the program has been given, by the names of contexts. */
  readonly given: readonly string[];
  readonly text: string;
}

/** Functions and classes that a library exports, with the examples of their doc comments. */
export interface Documented {
  readonly name: string;
  readonly examples: readonly Example[];
  /** The object that it returns, if that is an interface with functions: its name and those of the functions. */
  readonly handle: { readonly name: string; readonly functions: readonly string[] } | undefined;
}

/** Reads the functions of a library, and its classes but those of errors, from its declarations. */
export function readExamples(declarations: string): readonly Documented[] {
  const program = ts.createProgram([declarations], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    noEmit: true,
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(declarations);
  const door = file && checker.getSymbolAtLocation(file);
  if (door === undefined) throw new Error(`${declarations} exports nothing`);
  return checker.getExportsOfModule(door).flatMap((exported) => {
    const { Alias, Function: Func, Class } = ts.SymbolFlags;
    const symbol = exported.flags & Alias ? checker.getAliasedSymbol(exported) : exported;
    if (!(symbol.flags & (Func | Class)) || isError(symbol, checker)) return [];
    const { name } = exported;
    const tags = symbol.getJsDocTags(checker).filter((tag) => tag.name === 'example');
    const examples = tags.map(({ text }) => parse(name, ts.displayPartsToString(text)));
    return [{ name, examples, handle: handleOf(symbol, checker) }];
  });
}

function isError(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (!(symbol.flags & ts.SymbolFlags.Class)) return false;
  return checker.getDeclaredTypeOfSymbol(symbol).getProperty('stack') !== undefined;
}

function handleOf(symbol: ts.Symbol, checker: ts.TypeChecker): Documented['handle'] {
  const { valueDeclaration } = symbol;
  if (valueDeclaration === undefined || !(symbol.flags & ts.SymbolFlags.Function)) return undefined;
  const [signature] = checker
    .getTypeOfSymbolAtLocation(symbol, valueDeclaration)
    .getCallSignatures();
  const type = signature && checker.getAwaitedType(signature.getReturnType());
  const returned = type?.aliasSymbol ?? type?.getSymbol();
  const own = returned?.declarations?.some(
    (one) =>
      ts.isInterfaceDeclaration(one) && one.getSourceFile() === valueDeclaration.getSourceFile(),
  );
  if (type === undefined || returned === undefined || !own) return undefined;
  const functions = type.getProperties().filter((member) => {
    const of = checker.getNonNullableType(
      checker.getTypeOfSymbolAtLocation(member, valueDeclaration),
    );
    return of.getCallSignatures().length > 0;
  });
  if (functions.length === 0) return undefined;
  return { name: returned.name, functions: functions.map(({ name }) => name) };
}

/** `with CONTEXT, and CONTEXT`, then a block of code. */
function parse(of: string, text: string): Example {
  const parts = /^(?:with ([^\n]+)\n)?\s*```ts\n([\s\S]*?)\n```\s*$/.exec(text);
  if (parts === null) throw new Error(`the example of ${of} has another form:\n${text}`);
  const [, given, code = ''] = parts;
  return { of, given: given?.split(', and ') ?? [], text: `${code}\n` };
}
