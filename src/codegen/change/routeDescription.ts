import { isRefusal } from '../routes/pathPattern.ts';
import type { AddPaymentInput } from './change.ts';
import { chooseRoute } from './reading/chosenRoute.ts';
import { readRoute } from './reading/routeReading.ts';
import { describedBy } from './writing/listing.ts';

/** What a buyer gets, from the comment above a route; `undefined` if it says nothing useful. */
export function routeDescription(input: AddPaymentInput): string | undefined {
  const chosen = chooseRoute(input);
  if (isRefusal(chosen)) return undefined;
  const { comment } = readRoute(chosen, input);
  return describedBy(comment ?? '');
}
