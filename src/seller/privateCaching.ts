/** Directives that let caches of others keep a response, or that contradict what replaces them. */
const SHARED = /^(?:public|private|s-maxage|proxy-revalidate|must-understand)\b/i;

/**
 * Returns `Cache-Control` of a response that was paid for: only its buyer may keep it, since a shared cache would give it away.
 * @param value the handler's own, whose other directives stay
 */
export function privateCaching(value: string | undefined): string {
  const directives = (value ?? '')
    .split(',')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '' && !SHARED.test(directive));
  return ['private', ...directives].join(', ');
}
