import { POLICY_ERRORS, type PolicyError } from '../../policies/index.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** A failure as problem details (RFC 9457), with a stable `code` and what to do. */
export function problemDetails({ code, message, problems }: PolicyError) {
  const { status, title, fix } = POLICY_ERRORS[code];
  return {
    status,
    body: {
      type: `urn:svc-x402:policies:${code}`,
      title,
      status,
      detail: message,
      code,
      fix,
      ...(problems.length > 0 ? { problems } : {}),
    },
  };
}
