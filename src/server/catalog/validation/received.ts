/** Longest part of a received value to return. */
const MAX_ECHOED = 80;

/** Returns a received value as short JSON, to name it in a reason. */
export function echoed(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= MAX_ECHOED ? text : `${text.slice(0, MAX_ECHOED)}…`;
}
