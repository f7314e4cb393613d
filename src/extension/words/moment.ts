import { language } from './translate.ts';

/**
 * A moment in the reader's language and time zone, such as `Nov 28, 2026, 1:52 PM`: the one form in which views, panels and
 * documents show a date.
 * @param timeZone name of a zone; the editor's own without it, UTC if it is not known
 */
export function moment(at: Date, timeZone?: string): string {
  const form = { dateStyle: 'medium', timeStyle: 'short' } as const;
  try {
    return at.toLocaleString(language(), { ...form, timeZone });
  } catch {
    return at.toLocaleString(language(), { ...form, timeZone: 'UTC' });
  }
}

/** The time of day, with seconds, on a 24-hour clock, for lists of what has just happened. */
export function timeOfDay(at: Date): string {
  return at.toLocaleTimeString(language(), { hour12: false });
}
