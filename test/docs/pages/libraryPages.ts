import ts from 'typescript';
import { code, madeFrom, table } from './markdown.ts';
import { projectFile } from './projectFile.ts';

type Declared =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.VariableStatement;

type Exported = readonly [name: string, node: Declared];

/** A library: its bundle of declarations, the name it is imported by, and the page that shows how to use it. */
type Library = {
  readonly title: string;
  readonly specifier: string;
  readonly declarations: string;
  readonly guide: string;
};

const SDK: Library = {
  title: 'Client SDK: reference',
  specifier: 'svc-x402/sdk',
  declarations: 'dist/sdk.d.ts',
  guide: '[sdk.md](sdk.md) describes how to use it, and what each error means',
};
const UPTO: Library = {
  title: 'Scheme `upto`: reference',
  specifier: 'svc-x402/upto',
  declarations: 'dist/upto.d.ts',
  guide: '[upto.md](upto.md) describes how to use it',
};
const SELLER: Library = {
  title: 'Sellers: reference',
  specifier: 'svc-x402/seller',
  declarations: 'dist/seller.d.ts',
  guide: '[seller.md](seller.md) describes how to use it',
};
const RECEIPTS: Library = {
  title: 'Signed receipts: reference',
  specifier: 'svc-x402/receipts',
  declarations: 'dist/receipts.d.ts',
  guide: '[receipts.md](receipts.md) describes how to use it',
};
const LEDGER: Library = {
  title: 'Embedded network as a library: reference',
  specifier: 'svc-x402/ledger',
  declarations: 'dist/ledger.d.ts',
  guide:
    '[testing.md](testing.md) describes how to use it in a suite, and [control.md](control.md) the methods of `control`',
};

/**
 * Every export of the published libraries, with its doc comment, by the page's path from the root. Fences say `typescript`,
 * not `ts`: signatures cannot run, and the examples are checked and run where they are written.
 */
export function libraryPages(): [path: string, text: string][] {
  return [
    ['docs/sdk-reference.md', libraryPage(SDK)],
    ['docs/upto-reference.md', libraryPage(UPTO)],
    ['docs/seller-reference.md', libraryPage(SELLER)],
    ['docs/receipts-reference.md', libraryPage(RECEIPTS)],
    ['docs/ledger-reference.md', libraryPage(LEDGER)],
  ];
}

function libraryPage({ title, specifier, declarations, guide }: Library): string {
  const source = ts.createSourceFile(
    declarations,
    projectFile(declarations),
    ts.ScriptTarget.Latest,
    true,
  );
  const exported = exportsOf(source);
  const functions = exported.filter(
    ([, node]) => ts.isFunctionDeclaration(node) || ts.isVariableStatement(node),
  );
  const classes = exported.filter(([, node]) => ts.isClassDeclaration(node));
  const types = exported.filter(
    ([, node]) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
  );
  const section = (heading: string, entries: typeof exported): string =>
    entries.length === 0 ? '' : `\n## ${heading}\n${entries.map(entry).join('')}`;
  return (
    `# ${title}\n\n${madeFrom(`the doc comments of ${code(specifier)}`)}` +
    `\nAll exports of ${code(specifier)}; ${guide}.\n` +
    section('Functions and constants', functions) +
    section('Classes', classes) +
    section('Types', types)
  ).replaceAll(/^```ts$/gm, '```typescript');
}

/** The exported declarations by name, in the order of the alphabet. */
function exportsOf(source: ts.SourceFile): Exported[] {
  const declared = new Map(source.statements.flatMap(declarationsOf));
  return source.statements
    .flatMap((node) =>
      ts.isExportDeclaration(node) &&
      node.exportClause !== undefined &&
      ts.isNamedExports(node.exportClause)
        ? [...node.exportClause.elements]
        : [],
    )
    .map(({ name, propertyName }): Exported => {
      const node = declared.get((propertyName ?? name).text);
      if (node === undefined) throw new Error(`${source.fileName}: ${name.text} is not declared`);
      return [name.text, node];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function declarationsOf(node: ts.Statement): Exported[] {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.map(({ name }) => [name.getText(), node]);
  }
  const declares =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node);
  return declares && node.name !== undefined ? [[node.name.text, node]] : [];
}

function entry([name, node]: Exported): string {
  const { text, tags } = commentOf(node);
  return (
    `\n### ${name}\n` +
    (text === '' ? '' : `${text}\n`) +
    tagLines(tags) +
    (hasMembers(node) ? memberTable(node) : `\n\`\`\`typescript\n${signature(node)}\n\`\`\`\n`) +
    examples(tags)
  );
}

/** A declaration without its comment and without the keyword that only files of declarations need. */
function signature(node: ts.Node): string {
  return node
    .getText()
    .replace(/^(export )?declare /, '')
    .replaceAll(/^( {4})+/gm, (indent) => '  '.repeat(indent.length / 4))
    .replaceAll(/(=|:) *\n/g, '$1\n');
}

type Comment = { readonly text: string; readonly tags: readonly ts.JSDocTag[] };

function commentOf(node: ts.Node): Comment {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return { text: plain(comment?.comment), tags: [...(comment?.tags ?? [])] };
}

function plain(comment: ts.JSDoc['comment']): string {
  return (ts.getTextOfJSDocComment(comment) ?? '').trim();
}

/** Parameters, result and errors as lists. */
function tagLines(tags: readonly ts.JSDocTag[]): string {
  const lines = tags.flatMap((tag) => {
    const words = plain(tag.comment).replaceAll(/\s*\n\s*/g, ' ');
    if (ts.isJSDocParameterTag(tag)) {
      return [`- ${code(tag.name.getText())}: ${words.replace(/^- /, '')}`];
    }
    if (ts.isJSDocReturnTag(tag)) return [`- Returns ${words}`];
    if (ts.isJSDocThrowsTag(tag)) return [`- Throws ${words}`];
    return [];
  });
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

function examples(tags: readonly ts.JSDocTag[]): string {
  return tags
    .filter((tag) => tag.tagName.text === 'example')
    .map((tag) => {
      // From the source: the parser's text of a comment has lost the indents.
      const words = tag
        .getText()
        .replaceAll(/^ *\* ?/gm, '')
        .replace(/^@example/, '')
        .trim();
      const at = words.indexOf('```');
      const title = words.slice(0, at).trim();
      return `\nExample${title === '' ? '' : ` ${title}`}:\n\n${words.slice(at)}\n`;
    })
    .join('');
}

function hasMembers(node: Declared): node is ts.InterfaceDeclaration | ts.ClassDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node);
}

/**
 * What a class or an interface has, a row each. Left out is what is private, and what callers do not need: constructors and
 * the names of errors, which are those of their classes.
 */
function memberTable(node: ts.InterfaceDeclaration | ts.ClassDeclaration): string {
  const bases = (node.heritageClauses ?? []).map((clause) => clause.getText()).join(' ');
  const kind = ts.isClassDeclaration(node) ? 'class' : 'interface';
  const rows = [...node.members].filter(isSeen).map((member) => {
    const { text, tags } = commentOf(member);
    const words = [text, tagLines(tags).trim().replaceAll(/^- /gm, '')].filter(Boolean).join(' ');
    return [codeCell(memberSignature(member)), words];
  });
  return (
    (bases === '' ? '' : `\n${code(`${kind} ${node.name?.text ?? ''} ${bases}`)}\n`) +
    (rows.length === 0 ? '' : `\n${table(['member', 'meaning'], rows)}`)
  );
}

function isSeen(member: ts.ClassElement | ts.TypeElement): boolean {
  return (
    !ts.isConstructorDeclaration(member) &&
    !(ts.isPropertyDeclaration(member) && member.name.getText() === 'name') &&
    !(member.name !== undefined && ts.isPrivateIdentifier(member.name)) &&
    !(
      ts.canHaveModifiers(member) &&
      ts
        .getModifiers(member)
        ?.some(({ kind }) =>
          [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.StaticKeyword].includes(kind),
        )
    )
  );
}

/** On one line, without its comments and the modifier that every property has. */
function memberSignature(member: ts.Node): string {
  return member
    .getText()
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/^(abstract )?(readonly )?/, '')
    .replace(/;$/, '');
}

function codeCell(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : code(text);
}
