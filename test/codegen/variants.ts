/** A text as an editor on another machine would have saved it. */
export interface Variant {
  readonly name: string;
  make(text: string): string;
}

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const bom = (text: string): string => `\uFEFF${text}`;
/** Two spaces at the beginning of lines become a tab. */
const tabs = (text: string): string =>
  text.replaceAll(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2));
const noLastLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

export const variants: readonly Variant[] = [
  { name: 'as it is', make: (text) => text },
  { name: 'CRLF', make: crlf },
  { name: 'byte order mark', make: bom },
  { name: 'CRLF and byte order mark', make: (text) => bom(crlf(text)) },
  { name: 'tabs', make: tabs },
  { name: 'tabs, CRLF and byte order mark', make: (text) => bom(crlf(tabs(text))) },
  { name: 'no line end at the end', make: noLastLineEnd },
];
