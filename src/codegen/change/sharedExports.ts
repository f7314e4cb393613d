import { EXPORT_NOTE, type ExportList, type NotedExport } from '../routes/exportLists.ts';
import { deletion, type Edit, insertion } from '../source/edit.ts';
import type { Style } from '../source/style.ts';

/** Location of an export of several names. */
export interface ExportPlace {
  readonly start: number;
  readonly end: number;
  /** Starts of its lines after the first. */
  readonly lines: readonly { readonly start: number; readonly empty: boolean }[];
  /** The end of its last line. */
  readonly lineEnd: number;
  /** The end of the comment that lists all names, if others are already paid. */
  readonly noted: number | undefined;
  readonly list: ExportList;
}

/** Removes a name from an export: the export becomes a comment, followed by an export of the remaining names. */
export function withoutName(place: ExportPlace, name: string, style: Style): readonly Edit[] {
  const { start, end, lines, lineEnd, noted, list } = place;
  const left = list.members.filter((member) => member.name !== name);
  const code = left.length > 0 ? listCode(list, left, style) : undefined;
  if (noted !== undefined) {
    return [
      code === undefined
        ? deletion(noted, end)
        : { offset: start, length: end - start, text: code },
    ];
  }
  return [
    insertion(start, `${EXPORT_NOTE} `),
    ...lines.map((line) => insertion(line.start, line.empty ? EXPORT_NOTE : `${EXPORT_NOTE} `)),
    ...(code === undefined ? [] : [insertion(lineEnd, style.eol + code)]),
  ];
}

/** Restores a name to the commented export; with the last one, the export is what it was. */
export function withName(
  text: string,
  { start, end, list, rest }: NotedExport,
  name: string,
  style: Style,
): readonly Edit[] {
  const others = rest?.list.members ?? [];
  const back = list.members.filter(
    (member) => member.name === name || others.some((other) => other.name === member.name),
  );
  const added = others.filter((other) => !back.some((member) => member.name === other.name));
  if (back.length === list.members.length && added.length === 0) {
    return [...noteMarks(text, start, end), ...(rest ? [deletion(end, rest.statement.end)] : [])];
  }
  const code = listCode(list, [...back, ...added], style);
  if (!rest) return [insertion(end, style.eol + code)];
  const { statement } = rest;
  const offset = statement.getStart();
  return [{ offset, length: statement.end - offset, text: code }];
}

function noteMarks(text: string, start: number, end: number): readonly Edit[] {
  return [...text.slice(start, end).matchAll(NOTE_MARK)].map(({ index, 0: mark }) => {
    const at = start + index + mark.indexOf(EXPORT_NOTE);
    return deletion(at, start + index + mark.length);
  });
}

const NOTE_MARK = new RegExp(`^[^\\S\\n]*${EXPORT_NOTE} ?`, 'gm');

function listCode(
  { head, tail, pad }: ExportList,
  members: ExportList['members'],
  { spacedBraces, width, eol, indent, trailingCommas }: Style,
): string {
  const codes = members.map(({ code }) => code);
  const space = pad ?? (spacedBraces ? ' ' : '');
  const line = `${head}${space}${codes.join(', ')}${space}${tail}`;
  if (pad !== undefined || line.length <= width) return line;
  const comma = trailingCommas ? ',' : '';
  return `${head}${eol}${indent}${codes.join(`,${eol}${indent}`)}${comma}${eol}${tail}`;
}
