/** Maximum length of a pattern, and of a text that a pattern is tried on. */
const MAX_PATTERN_LENGTH = 256;
const MAX_TEXT_LENGTH = 512;

/**
 * Whether a pattern's cost is bounded by its length and the text's: no groups, so that repetitions are
 * not nested; at most two unbounded repetitions, so that the cost is at most quadratic.
 */
function isCheap(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false;
  const bare = pattern
    .replace(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\./gu, 'x')
    .replace(/\[[^\]]*\]/g, 'x');
  if (/[()[\]|]/.test(bare)) return false;
  const counted = [...bare.matchAll(/\{(\d+)(,?)(\d*)\}/g)];
  if (counted.some(([, from, , to]) => Number(from) > 100 || Number(to || 0) > 100)) return false;
  const endless = bare.match(/[*+]|\{\d+,\}/g) ?? [];
  const ranges = counted.filter(([, , comma, to]) => comma !== '' && to !== '');
  const optional = bare.match(/\?/g) ?? [];
  return endless.length + ranges.length <= 2 && optional.length <= 8;
}

/** The part of a regular expression that ajv uses. */
export interface PatternTest {
  test(text: string): boolean;
}

/**
 * Compiles a pattern of a seller's schema. A pattern whose cost is not bounded is not run: it always
 * matches, as does any pattern on a text that is too long. The example in a declaration is the seller's
 * own, so a missed mismatch harms nobody.
 * @throws SyntaxError if the pattern is invalid
 */
export function boundedPattern(pattern: string, flags: string): PatternTest {
  const expression = new RegExp(pattern, flags);
  if (!isCheap(pattern)) return { test: () => true };
  return { test: (text) => text.length > MAX_TEXT_LENGTH || expression.test(text) };
}
