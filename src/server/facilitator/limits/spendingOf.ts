import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import { resourceInfoSchema } from '../../../protocol/wire/index.ts';
import type { Spending } from './spendControls.ts';

/** A resource as spend controls count it: without query, so that a seller cannot vary it at will. */
function resourceOf(resource: unknown): string | undefined {
  const read = resourceInfoSchema.safeParse(resource);
  if (!read.success) return undefined;
  try {
    const { origin, pathname } = new URL(read.data.url);
    return origin + pathname.replace(/\/+$/, '');
  } catch {
    return undefined;
  }
}

/** Returns what a settlement's spending is counted under. */
export function spendingOf(request: FacilitatorRequest): Spending {
  return {
    payTo: request.paymentRequirements.payTo,
    url: resourceOf(request.paymentPayload.resource),
  };
}
