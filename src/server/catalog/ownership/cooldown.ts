/** Minimum time between two checks of an entry (spec: Limits/Ownership re-check cooldown). */
export const OWNERSHIP_COOLDOWN_MS = 15 * 60_000;
