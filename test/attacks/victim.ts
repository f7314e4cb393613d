/** The URL that a seller has listed before the attacks begin. */
export const VICTIM_URL = 'https://api.victim.dev/quote';
