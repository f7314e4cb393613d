import { type FacilitatorRequest, resourceInfoSchema } from '../../../protocol/wire/index.ts';
import type { Spending } from './spendControls.ts';

/**
 * The resource that spend controls count and that logs name, without its query, which a seller could vary at will and which may
 * hold secrets.
 */
export function resourceOf(resource: unknown): string | undefined {
  const read = resourceInfoSchema.safeParse(resource);
  if (!read.success) return undefined;
  try {
    const { origin, pathname } = new URL(read.data.url);
    return origin + pathname.replace(/\/+$/, '');
  } catch {
    return undefined;
  }
}

/** Returns the keys under which a settlement's spending is counted. @param client the caller's key */
export function spendingOf(request: FacilitatorRequest, client: string | undefined): Spending {
  return {
    client,
    payTo: request.paymentRequirements.payTo,
    url: resourceOf(request.paymentPayload.resource),
  };
}
