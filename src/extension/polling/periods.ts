/** Milliseconds between two reads of each view while it is visible (spec: Editor sidebar). */
export const PERIODS = {
  wallet: 30_000,
  settlements: 30_000,
  endpoints: 60_000,
  earnings: 30_000,
  policies: 30_000,
} as const;
