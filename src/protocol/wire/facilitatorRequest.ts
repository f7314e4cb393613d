import { z } from 'zod';
import type { ErrorCode } from '../errors/errorTable.ts';
import { paymentPayloadSchema } from './paymentPayload.ts';
import { paymentRequirementsSchema } from './paymentRequirements.ts';

/** Body of `POST /verify` and `POST /settle`. */
export const facilitatorRequestSchema = z.object({
  x402Version: z.number().optional(),
  paymentPayload: paymentPayloadSchema,
  paymentRequirements: paymentRequirementsSchema,
});

export type FacilitatorRequest = z.infer<typeof facilitatorRequestSchema>;

export type ParsedFacilitatorRequest =
  | { readonly ok: true; readonly request: FacilitatorRequest }
  | { readonly ok: false; readonly code: ErrorCode; readonly detail: string };

function whatIsWrong(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
    .join('; ');
}

/**
 * Reads a body that was already parsed as JSON. The invalid member decides the code:
 * the payment, the requirements, or, if both are missing, the request.
 */
export function parseFacilitatorRequest(body: unknown): ParsedFacilitatorRequest {
  const parsed = facilitatorRequestSchema.safeParse(body);
  if (parsed.success) return { ok: true, request: parsed.data };

  const members: Partial<Record<keyof FacilitatorRequest, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {};
  const detail = whatIsWrong(parsed.error);
  if (members.paymentPayload === undefined || members.paymentRequirements === undefined) {
    return { ok: false, code: 'invalid_request', detail };
  }
  const member = parsed.error.issues[0]?.path[0];
  if (member === 'paymentRequirements') {
    return { ok: false, code: 'invalid_payment_requirements', detail };
  }
  return {
    ok: false,
    code: member === 'paymentPayload' ? 'invalid_payload' : 'invalid_request',
    detail,
  };
}
