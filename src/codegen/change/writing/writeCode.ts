import type { Style } from '../../source/style.ts';
import type { Code, Line, Member, Name } from './code.ts';

/**
 * Writes code from a column on. Lines after the first begin with `indent`; line ends are `\n`, to be
 * replaced with those of the file.
 * @param column width of the text before it on its first line, in characters
 * @param after what has to follow on its last line, in characters
 */
export function writeCode(
  code: Code,
  style: Style,
  indent: string,
  column: number,
  after = 1,
): string {
  const line = oneLine(code, style);
  const fits = line !== undefined && column + line.length + after <= style.width;
  if (fits || code.kind === 'quoted' || code.kind === 'joined') return line ?? '';
  const inner = indent + style.indent;
  switch (code.kind) {
    case 'text':
      return code.text;
    case 'object': {
      const members = code.members.map((each) => {
        const comment = each.comment === undefined ? '' : `${inner}// ${each.comment}\n`;
        return `${comment}${inner}${writeMember(each, style, inner)}`;
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
  }
}

/** Writes lines, without their indentation, for a place that is indented this far. */
export function writeLines(lines: readonly Line[], style: Style, indent = ''): readonly string[] {
  const narrow = { ...style, width: style.width - indent.length };
  return lines.flatMap((line) => {
    if (typeof line === 'string') return [line];
    const { lead, code, tail } = line;
    return `${lead}${writeCode(code, narrow, '', lead.length)}${tail}`.split('\n');
  });
}

/** A text stays beside a key that is at most as wide as an indentation. */
const LONGEST_SHORT_KEY = 4;

/** A member without its comment: `name: value`. */
export function writeMember({ name, value }: Member, style: Style, indent: string): string {
  const start = `${writeName(name, style)}: `;
  if (value.kind === 'quoted' && start.length - 2 > LONGEST_SHORT_KEY) {
    // Formatters put a text that is too long for its line on the next one.
    const text = quotedText(value.value, style);
    const end = width(indent, style) + start.length + text.length + 1;
    if (end > style.width) return `${start.trimEnd()}\n${indent}${style.indent}${text}`;
  }
  return start + writeCode(value, style, indent, width(indent, style) + start.length);
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
      const items = code.items.map((item) => oneLine(item, style));
      return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
    }
    case 'object': {
      if (code.members.length === 0) return '{}';
      if (code.open || code.members.some(({ comment }) => comment !== undefined)) return undefined;
      const members = code.members.map(({ name, value }) => {
        const line = oneLine(value, style);
        return line === undefined ? undefined : `${writeName(name, style)}: ${line}`;
      });
      if (members.includes(undefined)) return undefined;
      const pad = style.spacedBraces ? ' ' : '';
      return `{${pad}${members.join(', ')}${pad}}`;
    }
    case 'call': {
      const args = code.args.map((arg) => oneLine(arg, style));
      return args.includes(undefined) ? undefined : `${code.callee}(${args.join(', ')})`;
    }
  }
}

function writeName(name: Name, style: Style): string {
  if ('computed' in name) return `[${name.computed}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name.name) ? name.name : quotedText(name.name, style);
}

/** Returns a string literal in the file's quotes. */
function quotedText(value: string, { quote }: Style): string {
  const body = JSON.stringify(value).slice(1, -1);
  if (quote === '"') return `"${body}"`;
  const single = body.replaceAll('\\"', '"');
  return value.includes("'") && !value.includes('"')
    ? `"${body}"`
    : `'${single.replaceAll("'", "\\'")}'`;
}

/** A tab counts as two columns, as it does for formatters. */
function width(indent: string, { indent: unit }: Style): number {
  return unit === '\t' ? indent.replaceAll('\t', '  ').length : indent.length;
}
