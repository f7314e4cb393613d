import { applyEdits, type Edit, insertion } from '../../source/edit.ts';
import type { MoreKeys } from '../decision/decision.ts';
import { gateHeads } from './headLines.ts';
import type { Ingredients } from './ingredients.ts';
import { routeKey } from './routeKey.ts';
import { narrowed, writeMember } from './writeCode.ts';

/** Adds a key to the map of a gate, and moves the gate up if it must run earlier. */
export function writeKeys(
  { reading, config }: Ingredients,
  { registered, gate, movesTo, before }: MoreKeys,
): readonly Edit[] {
  const { text, style, route } = reading;
  const { slot, heads, block } = gate;
  const key = routeKey(route, registered, before, style);
  const edits: Edit[] = [];
  if (key.name) {
    const entry = writeMember({ name: key.name, value: config }, style, slot.indent);
    const lines = slot.lead + entry.replaceAll('\n', style.eol) + slot.tail;
    if (slot.comma !== undefined) edits.push(insertion(slot.comma, ','));
    edits.push(insertion(slot.offset, lines));
    const head = gateHeads(registered, route.method, key.path, narrowed(style, gate.indent), gate);
    // Several keys share one comment, above the first.
    const added = heads.some ? head.slice(1) : head;
    if (added.length > 0) {
      const inserted = added.map((line) => style.eol + gate.indent + line).join('');
      edits.push(insertion(heads.end, inserted));
    }
  }
  if (movesTo === undefined) return edits;
  const { start, end } = block;
  const moved = applyEdits(
    text.slice(start, end),
    edits.map((edit) => ({ ...edit, offset: edit.offset - start })),
  );
  return [insertion(movesTo, moved), { offset: start, length: end - start, text: '' }];
}
