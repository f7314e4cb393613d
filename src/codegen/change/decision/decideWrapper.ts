import { type Refusal, refuse } from '../../routes/route.ts';
import { type Edit, insertion } from '../../source/edit.ts';
import type { Style } from '../../source/style.ts';
import type { ExportedReading } from '../reading/exportedReading.ts';
import type { Names } from '../reading/names.ts';
import { withoutName } from '../sharedExports.ts';
import type { WrappedExport } from './decision.ts';

/** Suffix of the handler's name once its wrapper is exported instead (spec: Editor extension command). */
const IMPL = '_impl';

const EXPORT = 'export';

/**
 * Decides how to wrap an exported handler of the App Router: the handler keeps its code under another name, and the exported
 * wrapper requires payment first.
 */
export function decideWrapper(
  exported: ExportedReading,
  method: string,
  names: Names,
  style: Style,
): WrappedExport | Refusal {
  const refusal = heldExport(exported, method);
  if (refusal) return refusal;
  const { form, name } = exported;
  const impl = form === 'list' ? name : names.numbered(`${method}${IMPL}`);
  return {
    kind: 'wrappedExport',
    exported,
    impl,
    released: released(exported, method, impl, style),
  };
}

/** Returns why the export cannot be removed from its handler. */
function heldExport(
  { form, usedLine, name, keyword, taken, namedLine }: ExportedReading,
  method: string,
): Refusal | undefined {
  if (namedLine !== undefined) {
    return refuse(
      'layout_not_supported',
      `${method} in line ${namedLine} has the name that the paid export needs. Give it another one, and export that: export { handler as ${method} }.`,
    );
  }
  if (taken && !taken.place) {
    return refuse('layout_not_supported', `Give the export of ${method} a line of its own.`);
  }
  if (form === 'list') return undefined;
  if (usedLine !== undefined) {
    return refuse(
      'handler_used_elsewhere',
      `${name} is used in line ${usedLine} too, where it would become the paid one. Give the handler a name of its own and export it as ${name}.`,
    );
  }
  return keyword === undefined && !taken
    ? refuse('layout_not_supported', `Write export and ${method} on one line.`)
    : undefined;
}

/** Removes the handler's export and renames the handler. */
function released(
  { form, start, keyword = start, name, nameEnd, renames, taken }: ExportedReading,
  method: string,
  impl: string,
  style: Style,
): readonly Edit[] {
  if (taken?.place) return withoutName(taken.place, method, style);
  if (form === 'from') {
    return [
      { offset: keyword, length: EXPORT.length, text: 'import' },
      // `{ handler as GET }` becomes `{ handler as GET_impl }`.
      renames
        ? { offset: renames.start, length: renames.end - renames.start, text: impl }
        : insertion(nameEnd, ` as ${impl}`),
    ];
  }
  return [
    { offset: keyword, length: EXPORT.length + 1, text: '' },
    insertion(nameEnd, impl.slice(name.length)),
  ];
}
