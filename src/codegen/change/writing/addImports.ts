import { type Edit, insertion } from '../../source/edit.ts';
import type { Style } from '../../source/style.ts';
import type { FileImports, OpenList } from '../reading/fileImports.ts';
import type { Names } from '../reading/names.ts';

/** An export of a package that inserted code uses. */
export interface Needed {
  readonly module: string;
  readonly name: string;
}

export interface Imported {
  readonly edits: readonly Edit[];
  /** Returns the local name of a needed export. */
  local(name: string): string;
}

/**
 * Adds imports after the last import of the file, or to existing imports of the same package.
 * @param before offset of the first use; a `require` must come earlier
 */
export function addImports(
  imports: FileImports,
  needed: readonly Needed[],
  style: Style,
  names: Names,
  before: number,
): Imported {
  const locals = new Map<string, string>();
  const merged: Edit[] = [];
  const lines: string[] = [];
  const lists = imports.lists.filter(({ end }) => end <= before || style.modules === 'esm');
  for (const module of [...new Set(needed.map((each) => each.module))].sort()) {
    const own = lists.filter((list) => list.module === module);
    const missing: string[] = [];
    for (const { name } of needed.filter((each) => each.module === module)) {
      const local = own.map((list) => list.names.get(name)).find(Boolean);
      if (local !== undefined) locals.set(name, local);
      else if (!missing.includes(name)) missing.push(name);
    }
    if (missing.length === 0) continue;
    const specifiers = missing.sort().map((name) => {
      const local = names.fresh(name);
      locals.set(name, local);
      const as = style.modules === 'esm' ? ' as ' : ': ';
      return local === name ? name : `${name}${as}${local}`;
    });
    const open = own
      .map((each) => each.open)
      .find((each) => each && hasRoom(each, specifiers, style));
    if (open) merged.push(merge(open, specifiers, style));
    else lines.push(importLine(module, specifiers, style));
  }
  return {
    edits: lines.length > 0 ? [...merged, insertLines(imports, lines, style, before)] : merged,
    local: (name) => locals.get(name) ?? name,
  };
}

/** A formatter would break a list that became wider than its line. */
function hasRoom(
  { indent, width }: OpenList,
  specifiers: readonly string[],
  style: Style,
): boolean {
  return indent !== undefined || `, ${specifiers.join(', ')}`.length + width <= style.width;
}

function merge({ end, indent }: OpenList, specifiers: readonly string[], { eol }: Style): Edit {
  const gap = indent === undefined ? ', ' : `,${eol}${indent}`;
  return insertion(end, specifiers.map((specifier) => gap + specifier).join(''));
}

function importLine(module: string, specifiers: readonly string[], style: Style): string {
  const { eol, indent, semicolons, modules, declare, width, trailingCommas, quote } = style;
  const pad = style.spacedBraces ? ' ' : '';
  const end = semicolons ? ';' : '';
  const from = quote + module + quote;
  const [start, rest] =
    modules === 'esm' ? ['import', ` from ${from}`] : [declare, ` = require(${from})`];
  const line = `${start} {${pad}${specifiers.join(', ')}${pad}}${rest}${end}`;
  // Formatters keep a single import on its line.
  const breaks = specifiers.length > 1 || modules === 'commonjs';
  if (line.length <= width || !breaks) return line;
  const comma = trailingCommas ? ',' : '';
  return `${start} {${eol}${indent}${specifiers.join(`,${eol}${indent}`)}${comma}${eol}}${rest}${end}`;
}

/** Inserts whole lines after the last import, or before the first statement. */
function insertLines(
  { statements, firstLine }: FileImports,
  lines: readonly string[],
  { eol, modules }: Style,
  before: number,
): Edit {
  const last = statements
    .filter(({ kind, end }) =>
      modules === 'esm' ? kind === 'import' : kind === 'require' && end <= before,
    )
    .at(-1);
  const block = lines.join(eol);
  if (!last) return insertion(firstLine, block + eol + eol);
  return insertion(last.next, last.endsText ? eol + block : block + eol);
}
