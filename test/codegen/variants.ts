/** A text as an editor on another machine would have saved it. */
export interface Variant {
  readonly name: string;
  make(text: string): string;
  /** Whether an editor would save this file so; by default, any file. */
  fits?(text: string): boolean;
}

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const bom = (text: string): string => `\uFEFF${text}`;
/** Two spaces at the beginning of lines become a tab. */
const tabs = (text: string): string =>
  text.replaceAll(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2));
/** With the mark in front of a shebang, the file can no longer be run. */
const mayHaveMark = (text: string): boolean => !text.startsWith('#!');
const noLastLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

export const AS_IT_IS: Variant = { name: 'as it is', make: (text) => text };

export const otherVariants: readonly Variant[] = [
  { name: 'CRLF', make: crlf },
  { name: 'byte order mark', make: bom, fits: mayHaveMark },
  { name: 'CRLF and byte order mark', make: (text) => bom(crlf(text)), fits: mayHaveMark },
  { name: 'tabs', make: tabs },
  {
    name: 'tabs, CRLF and byte order mark',
    make: (text) => bom(crlf(tabs(text))),
    fits: mayHaveMark,
  },
  { name: 'no line end at the end', make: noLastLineEnd },
];
