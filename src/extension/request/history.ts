import type { RequestForm } from './requestForm.ts';

/** A request that was sent, with its payment. */
export interface HistoryEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly form: RequestForm;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly ms: number;
  /** What was paid, such as `0.01 USDC`; empty if nothing is known to have been. */
  readonly paid: string;
  /** Hash of the settlement; empty without one. */
  readonly settlement: string;
}

const MAX_ENTRIES = 50;

/** Adds an entry, newest first. Headers that may hold secrets are left out. */
export function withEntry(
  history: readonly HistoryEntry[],
  entry: HistoryEntry,
): readonly HistoryEntry[] {
  const form = withoutSecrets(entry.form);
  return [{ ...entry, form }, ...history].slice(0, MAX_ENTRIES);
}

/** A form without headers that may hold secrets, so that it can be stored. */
export function withoutSecrets(form: RequestForm): RequestForm {
  return { ...form, headers: form.headers.filter(({ name }) => !mayBeSecret(name)) };
}

/** Whether a header may hold a secret, by its name. */
export function mayBeSecret(name: string): boolean {
  return /auth|cookie|token|key|secret|session|passw/i.test(name);
}
