import { isRefusal } from '../routes/pathPattern.ts';
import { type Refusal, refuse } from '../routes/route.ts';
import { applyEdits, cursorAfter, inOrder } from '../source/edit.ts';
import { type AddPaymentInput, type ChangeResult, changing, refused } from './change.ts';
import { corsForPayments } from './cors.ts';
import { decide } from './decision/decide.ts';
import { type EngineChange, engineChange, usesEngine } from './engine/writeEngine.ts';
import { notesFor } from './notes.ts';
import { describePrice } from './openApi/describePrice.ts';
import { readTerms, type Terms } from './paymentTerms.ts';
import { chooseRoute } from './reading/chosenRoute.ts';
import { type RouteReading, readRoute } from './reading/routeReading.ts';
import { writePayment } from './writing/writePayment.ts';

/**
 * Makes the change that puts a payment before a route (spec: Editor extension command). The file is read once, the change is
 * decided from that reading, and then written. The file is never reprinted: everything but the insertion stays unchanged, byte
 * for byte.
 */
export function addPayment(input: AddPaymentInput): ChangeResult {
  return changing(() => {
    const chosen = chooseRoute(input);
    if (isRefusal(chosen)) return refused(chosen);
    const { runtimeProblem } = input;
    if (runtimeProblem !== undefined && chosen.route.framework === 'hono') {
      return refused(refuse('runtime_not_supported', runtimeProblem));
    }
    const terms = readTerms(input);
    if (isRefusal(terms)) return refused(terms);
    const reading = readRoute(chosen, input);
    const { route, bindings } = chosen;
    const isEngine = usesEngine(reading, input.protocols);
    const written = isEngine
      ? engineChange(reading, terms, input.protocols)
      : packagesChange(reading, terms);
    if (isRefusal(written)) return refused(written);
    const described = describePrice(
      route,
      terms.price,
      reading.style,
      bindings,
      input.dependencies,
    );
    const cors = corsForPayments(
      chosen.file,
      bindings,
      reading.style,
      route.range.start,
      input.dependencies,
    );
    const edits = inOrder([...written.edits, ...described.edits, ...cors.edits]);
    const cursor = cursorAfter(applyEdits(input.text, edits), edits);
    return {
      ok: true,
      edits,
      cursor,
      route: reading.route,
      isEngine,
      notes: [...notesFor(reading, terms), ...written.notes, ...described.notes, ...cors.notes],
    };
  });
}

/** Puts a payment of the published packages before a route. */
function packagesChange(reading: RouteReading, terms: Terms): EngineChange | Refusal {
  const decision = decide(reading);
  if (isRefusal(decision)) return decision;
  return { edits: writePayment(reading, decision, terms), notes: [] };
}
