/** Largest body of `/verify` and `/settle` (spec: Limits/Body size). */
export const MAX_BODY_BYTES = 32 * 1024;
