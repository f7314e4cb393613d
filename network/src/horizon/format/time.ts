/** A time, given in whole seconds since 1970, in Horizon's form: `2026-11-21T09:35:00Z`. */
export function timeText(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, -5)}Z`;
}
