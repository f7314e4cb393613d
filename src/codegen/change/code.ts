import type { JsonValue } from '../schema/json.ts';
import type { Style } from '../source/style.ts';

/** Code to be written in the style of a file. */
export type Code =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'object'; readonly members: readonly Member[]; readonly open?: boolean }
  | { readonly kind: 'array'; readonly items: readonly Code[] }
  | { readonly kind: 'call'; readonly callee: string; readonly args: readonly Code[] };

export interface Member {
  readonly name: Name;
  readonly value: Code;
  /** A comment of one line above it. */
  readonly comment?: string;
}

/** A name as it is written: quoted where it has to be, or code in brackets. */
export type Name = { readonly name: string } | { readonly computed: string };

export function text(of: string): Code {
  return { kind: 'text', text: of };
}

export function object(members: readonly (Member | undefined)[], open = false): Code {
  return { kind: 'object', members: members.filter((member) => member !== undefined), open };
}

export function call(callee: string, ...args: readonly Code[]): Code {
  return { kind: 'call', callee, args };
}

export function member(name: string, value: Code, comment?: string): Member {
  return { name: { name }, value, ...(comment === undefined ? {} : { comment }) };
}

/** A text as a literal, in the quotes of the file. */
export function quoted(value: string, { quote }: Style): string {
  const body = JSON.stringify(value).slice(1, -1);
  if (quote === '"') return `"${body}"`;
  const single = body.replaceAll('\\"', '"');
  return value.includes("'") && !value.includes('"')
    ? `"${body}"`
    : `'${single.replaceAll("'", "\\'")}'`;
}

/** A JSON value as code. */
export function jsonCode(value: JsonValue, style: Style): Code {
  if (typeof value === 'string') return text(quoted(value, style));
  if (value === null || typeof value !== 'object') return text(String(value));
  if (Array.isArray(value)) {
    return { kind: 'array', items: value.map((item: JsonValue) => jsonCode(item, style)) };
  }
  return object(Object.entries(value).map(([name, item]) => member(name, jsonCode(item, style))));
}

/**
 * Writes code from a column on. Lines after the first begin with `indent`; line ends are `\n`, to be
 * replaced with those of the file.
 * @param column what stands before it on its first line, in characters
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
  if (line !== undefined && column + line.length + after <= style.width) return line;
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

/** A member without its comment: `name: value`. */
export function writeMember({ name, value }: Member, style: Style, indent: string): string {
  const start = `${writeName(name, style)}: `;
  return start + writeCode(value, style, indent, width(indent, style) + start.length);
}

function writeCall(
  code: Extract<Code, { kind: 'call' }>,
  style: Style,
  indent: string,
  column: number,
): string {
  const [only] = code.args;
  // A lone object or call hugs the parentheses.
  if (code.args.length === 1 && only && only.kind !== 'text') {
    const start = column + code.callee.length + 1;
    if (only.kind !== 'call') return `${code.callee}(${writeCode(only, style, indent, start)})`;
  }
  const inner = indent + style.indent;
  const args = code.args.map((arg) => inner + writeCode(arg, style, inner, width(inner, style)));
  return `${code.callee}(\n${args.join(',\n')}${style.trailingArguments ? ',' : ''}\n${indent})`;
}

function oneLine(code: Code, style: Style): string | undefined {
  switch (code.kind) {
    case 'text':
      return code.text.includes('\n') ? undefined : code.text;
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
  return /^[A-Za-z_$][\w$]*$/.test(name.name) ? name.name : quoted(name.name, style);
}

/** Tabs count as the two columns that formatters take them for. */
function width(indent: string, { indent: unit }: Style): number {
  return unit === '\t' ? indent.replaceAll('\t', '  ').length : indent.length;
}
