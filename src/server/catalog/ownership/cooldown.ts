/** How long a checked entry rests (spec: Limits/Ownership re-check cooldown). */
export const OWNERSHIP_COOLDOWN_MS = 15 * 60_000;
