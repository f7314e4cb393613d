import type { JsonValue } from '../../schema/json.ts';

/** Code to write in the style of a file. */
export type Code =
  | { readonly kind: 'text'; readonly text: string }
  /** A string literal, in the file's quotes. */
  | { readonly kind: 'quoted'; readonly value: string }
  /** Parts that stay on one line. */
  | { readonly kind: 'joined'; readonly parts: readonly Code[] }
  | { readonly kind: 'object'; readonly members: readonly Member[]; readonly open?: boolean }
  | { readonly kind: 'array'; readonly items: readonly Code[] }
  | { readonly kind: 'call'; readonly callee: string; readonly args: readonly Code[] }
  /** `first ?? second`. */
  | { readonly kind: 'either'; readonly first: Code; readonly second: Code }
  /** Method calls, each on its own line if they do not fit on one. */
  | { readonly kind: 'chain'; readonly start: Code; readonly calls: readonly Code[] };

export interface Member {
  readonly name: Name;
  readonly value: Code;
  /** A one-line comment above it. */
  readonly comment?: string;
}

/** A property name: quoted if necessary, or code in brackets. */
export type Name = { readonly name: string } | { readonly computed: string };

/** A literal line, or code with a prefix for its first line and a suffix for its last. */
export type Line = string | Statement;

export interface Statement {
  readonly lead: string;
  readonly code: Code;
  readonly tail: string;
}

export function text(of: string): Code {
  return { kind: 'text', text: of };
}

export function quoted(value: string): Code {
  return { kind: 'quoted', value };
}

export function joined(...parts: readonly Code[]): Code {
  return { kind: 'joined', parts };
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

/** A JSON value as code. */
export function jsonCode(value: JsonValue): Code {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return text(String(value));
  if (Array.isArray(value)) {
    return { kind: 'array', items: value.map((item: JsonValue) => jsonCode(item)) };
  }
  return object(Object.entries(value).map(([name, item]) => member(name, jsonCode(item))));
}
