import type { Style } from '../../source/style.ts';
import type { Code, Line, Member, Name } from './code.ts';

/**
 * Writes code starting at a column. Lines after the first begin with `indent`; line ends are `\n`, which the caller replaces
 * with the file's.
 * @param column width of the text before it on its first line, in characters
 * @param after width of the text that follows on its last line, in characters
 */
export function writeCode(
  code: Code,
  style: Style,
  indent: string,
  column: number,
  after = 1,
): string {
  const line = oneLine(code, style);
  const fits = line !== undefined && column + columns(line) + after <= style.width;
  if (fits || code.kind === 'quoted' || code.kind === 'joined') return line ?? '';
  const inner = indent + style.indent;
  switch (code.kind) {
    case 'text':
      return code.text;
    case 'object': {
      const members = code.members.map((each) => {
        const comment = each.comment === undefined ? '' : `${inner}// ${each.comment}\n`;
        return `${comment}${inner}${writeMember(each, style, inner, quotesAll(code.members, style))}`;
      });
      return `{\n${members.join(',\n')}${style.trailingCommas ? ',' : ''}\n${indent}}`;
    }
    case 'array': {
      const items = code.items.map(
        (item) => inner + writeCode(item, style, inner, width(inner, style)),
      );
      return `[\n${items.join(',\n')}${style.trailingCommas ? ',' : ''}\n${indent}]`;
    }
    case 'call':
      return writeCall(code, style, indent, column);
    case 'either':
      return [code.first, code.second]
        .map((each) => oneLine(each, style) ?? '')
        .join(` ??\n${indent}`);
    case 'chain': {
      const calls = code.calls.map(
        (each) => inner + writeCode(each, style, inner, width(inner, style)),
      );
      return [writeCode(code.start, style, indent, column, 0), ...calls].join('\n');
    }
  }
}

/** The style of lines that get an indentation. */
export function narrowed(style: Style, indent: string): Style {
  return { ...style, width: style.width - width(indent, style) };
}

/** Whether a line fits when it is indented this many levels deeper. */
export function fits(line: string, style: Style, levels: number): boolean {
  return levels * columnsOf(style) + columns(line) <= style.width;
}

/** Writes lines, without their indentation, for a place with this indentation. */
export function writeLines(lines: readonly Line[], style: Style, indent = ''): readonly string[] {
  const narrow = narrowed(style, indent);
  return lines.flatMap((line) => {
    if (typeof line === 'string') return [line];
    const { lead, code, tail } = line;
    return `${lead}${writeCode(code, narrow, '', lead.length, tail.length)}${tail}`.split('\n');
  });
}

/** A member without its comment: `name: value`. */
export function writeMember(
  { name, value }: Member,
  style: Style,
  indent: string,
  quotes = false,
): string {
  const start = `${writeName(name, style, quotes)}: `;
  // A text stays beside a key that is hardly wider than an indentation.
  if (value.kind === 'quoted' && start.length - 2 > columnsOf(style) + 2) {
    // Formatters move a text that is too long for its line to the next line.
    const text = quotedText(value.value, style);
    const end = width(indent, style) + start.length + columns(text) + 1;
    if (end > style.width) return `${start.trimEnd()}\n${indent}${style.indent}${text}`;
  }
  const column = width(indent, style) + start.length;
  if (value.kind === 'either' && column + columns(oneLine(value, style) ?? '') + 1 > style.width) {
    const inner = indent + style.indent;
    return `${start.trimEnd()}\n${inner}${writeCode(value, style, inner, width(inner, style))}`;
  }
  return start + writeCode(value, style, indent, column);
}

/** Columns of one indentation level. */
function columnsOf(style: Style): number {
  return width(style.indent, style);
}

function writeCall(
  code: Extract<Code, { kind: 'call' }>,
  style: Style,
  indent: string,
  column: number,
): string {
  const [only] = code.args;
  // A single object or array starts and ends on the lines of the parentheses.
  if (code.args.length === 1 && only && (only.kind === 'object' || only.kind === 'array')) {
    const start = column + code.callee.length + 1;
    return `${code.callee}(${writeCode(only, style, indent, start)})`;
  }
  const inner = indent + style.indent;
  const args = code.args.map((arg) => inner + writeCode(arg, style, inner, width(inner, style)));
  return `${code.callee}(\n${args.join(',\n')}${style.trailingArguments ? ',' : ''}\n${indent})`;
}

function oneLine(code: Code, style: Style): string | undefined {
  switch (code.kind) {
    case 'text':
      return code.text.includes('\n') ? undefined : code.text;
    case 'quoted':
      return quotedText(code.value, style);
    case 'joined':
      return code.parts.map((part) => oneLine(part, style) ?? '').join('');
    case 'array': {
      if (isTable(code.items)) return undefined;
      const items = code.items.map((item) => oneLine(item, style));
      return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
    }
    case 'object': {
      if (code.members.length === 0) return '{}';
      if (code.open || code.members.some(({ comment }) => comment !== undefined)) return undefined;
      const members = code.members.map(({ name, value }) => {
        const line = oneLine(value, style);
        const quotes = quotesAll(code.members, style);
        return line === undefined ? undefined : `${writeName(name, style, quotes)}: ${line}`;
      });
      if (members.includes(undefined)) return undefined;
      const pad = style.spacedBraces ? ' ' : '';
      return `{${pad}${members.join(', ')}${pad}}`;
    }
    case 'call': {
      const args = code.args.map((arg) => oneLine(arg, style));
      return args.includes(undefined) ? undefined : `${code.callee}(${args.join(', ')})`;
    }
    case 'either':
      return [code.first, code.second].map((each) => oneLine(each, style) ?? '').join(' ?? ');
    case 'chain':
      return (
        (oneLine(code.start, style) ?? '') +
        code.calls.map((each) => oneLine(each, style) ?? '').join('')
      );
  }
}

/** Formatters put several objects or lists of more than one member on their own lines. */
function isTable(items: readonly Code[]): boolean {
  const objects = items.every((item) => item.kind === 'object' && item.members.length > 1);
  const lists = items.every((item) => item.kind === 'array' && item.items.length > 1);
  return items.length > 1 && (objects || lists);
}

function writeName(name: Name, style: Style, quotes: boolean): string {
  if ('computed' in name) return `[${name.computed}]`;
  return isPlain(name.name) && !quotes ? name.name : quotedText(name.name, style);
}

function isPlain(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** Whether all names of an object are quoted because one of them must be. */
function quotesAll(members: readonly Member[], { sameQuotedNames }: Style): boolean {
  return sameQuotedNames && members.some(({ name }) => 'name' in name && !isPlain(name.name));
}

/** Returns a string literal in the file's quotes, or in the other kind if that needs fewer escapes. */
function quotedText(value: string, { quote }: Style): string {
  const other = quote === '"' ? "'" : '"';
  const count = (mark: string) => value.split(mark).length;
  const mark = count(quote) > count(other) ? other : quote;
  const body = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  return mark + body.replaceAll(mark, `\\${mark}`) + mark;
}

/** Characters that take two columns (Unicode: East Asian Width), apart from those of two code units. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/g;

/** The width of a text in columns, as formatters count it. */
function columns(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

/** The width of an indentation in columns. */
export function width(indent: string, { tabWidth }: Style): number {
  return indent.replaceAll('\t', ' '.repeat(tabWidth)).length;
}
