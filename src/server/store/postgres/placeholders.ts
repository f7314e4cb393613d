/** Statements are few and the same ones each time. */
const translated = new Map<string, string>();

/** Writes `?` as `$1`, `$2`, …, except inside quotes. */
export function numberedPlaceholders(sql: string): string {
  const known = translated.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replace(/'(?:[^']|'')*'|"[^"]*"|\?/g, (part) =>
    part === '?' ? `$${++count}` : part,
  );
  if (translated.size < 1_000) translated.set(sql, text);
  return text;
}
