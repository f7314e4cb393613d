import ts from 'typescript';

const blank = (text) => text.replaceAll(/[^\n]/g, ' ');

/** Whether a string of the code reads as a sentence that people see, and not as a name, a path or a query. */
function isSentence(text) {
  return (
    text.length >= 20 &&
    /^[A-Z\u2026"“].*[a-z] [a-z]|[a-z]+ [a-z]+ [a-z]+ [a-z]+/.test(text) &&
    !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|ALTER)\b/.test(text) &&
    !/[{};]\s*$|=>|<\/?\w+>/.test(text)
  );
}

/**
 * Returns comments and sentences of TypeScript or JavaScript at their places, with everything else blanked out.
 *
 * @param {string} source
 * @param {{ keepCode?: boolean }} [options] `keepCode`: also keeps code and links within sentences, for readers
 */
export function proseOfCode(source, { keepCode = false } = {}) {
  const kept = [...blank(source)];
  const keep = (from, to, pattern) => {
    const text = source.slice(from, to).replaceAll(pattern, (sign) => blank(sign));
    for (const [at, sign] of [...text].entries()) if (sign !== '\n') kept[from + at] = sign;
  };
  const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
  const seen = new Set();
  const comments = (at) => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(source, at) ?? []),
      ...(ts.getTrailingCommentRanges(source, at) ?? []),
    ]) {
      if (seen.has(range.pos)) continue;
      seen.add(range.pos);
      keep(
        range.pos,
        range.end,
        keepCode
          ? /^\/\/+|^\/\*+|\*+\/$|^\s*\*+\/?/gm
          : /^\/\/+|^\/\*+|\*+\/$|^\s*\*+\/?|\{@link ([^}]*)\}|@\w+( \{[^}]*\})?|`[^`\n]*`/gm,
      );
    }
  };
  const visit = (node) => {
    comments(node.getFullStart());
    comments(node.getEnd());
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      const imported = ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);
      if (!imported && isSentence(node.text))
        keep(node.getStart() + 1, node.getEnd() - 1, keepCode ? /(?!)/g : /`[^`\n]*`/g);
    } else if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) {
      if (/[a-z] [a-z]/.test(node.text) && !/[{};]\s*$|=>/.test(node.text)) {
        keep(node.getStart() + 1, node.getEnd() - 1, keepCode ? /(?!)/g : /`[^`\n]*`/g);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  comments(file.endOfFileToken.getFullStart());
  return kept.join('');
}

/**
 * Returns the comments of Rust or a shell script at their places, with everything else blanked out.
 *
 * @param {string} source
 * @param {'//' | '#'} mark
 */
export function proseOfComments(source, mark) {
  const comment = mark === '//' ? /^(\s*\/\/[/!]?)(.*)$/ : /^(\s*#(?!!))(.*)$/;
  return source
    .split('\n')
    .map((line) => {
      const [, before, text] = comment.exec(line) ?? [];
      return text === undefined ? blank(line) : blank(before) + text.replaceAll(/`[^`]*`/g, blank);
    })
    .join('\n');
}

/**
 * Returns titles and descriptions of an extension's manifest at their places, with everything else blanked out.
 *
 * @param {string} source of package.json
 */
export function proseOfManifest(source) {
  return source
    .split('\n')
    .map((line) => {
      const [, before, text] =
        /^(\s*"(?:title|name|description|markdownDescription|contents|completionMessage)": ")(.*)",?$/.exec(
          line,
        ) ?? [];
      return text === undefined ? blank(line) : blank(before) + text.replaceAll(/`[^`]*`/g, blank);
    })
    .join('\n');
}
