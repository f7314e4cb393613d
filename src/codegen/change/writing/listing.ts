import { MAX_DESCRIPTION } from '../paymentTerms.ts';

/** Maximum length of `serviceName` and tags in the x402 packages; the catalog accepts 64. */
const MAX_CHARACTERS = 32;
const MAX_TAGS = 5;

/** Segments that do not describe what a route sells. */
const EMPTY_WORDS = new Set(['api', 'rest', 'public', 'internal', 'v']);

/**
 * A service's name, derived from its package name: without scope, in printable ASCII, at most 32 characters; `undefined` if
 * nothing is left.
 */
export function serviceName(packageName: string | undefined): string | undefined {
  const name = (packageName ?? '').replace(/^@[^/]*\//, '');
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, MAX_CHARACTERS)
    .trim();
  return ascii === '' ? undefined : ascii;
}

/** Tags from the words of a path. */
export function tagsOf(path: string): readonly string[] {
  const words = path
    .split('/')
    .filter((segment) => /^[A-Za-z][\w.-]*$/.test(segment))
    .map((segment) => segment.toLowerCase().replace(/\.\w+$/, ''))
    .filter((word) => !EMPTY_WORDS.has(word) && !/^v\d+$/.test(word))
    .map((word) => word.slice(0, MAX_CHARACTERS));
  return [...new Set(words)].slice(0, MAX_TAGS);
}

/** The first sentence of the comment above a route, as its description. */
export function describedBy(comment: string): string | undefined {
  const words = comment
    .trimEnd()
    .replaceAll(/^\s*\/\*+|(?<!\*)\*+\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\*+|\/\/+)\s?/, '').trim());
  const paragraph: string[] = [];
  for (const line of words) {
    if (line === '' && paragraph.length > 0) break;
    // JSDoc and OpenAPI tags, separators and directives for tools are not descriptions.
    if (/^@|^[-=*#~]{3,}|^(eslint|biome|prettier|ts-|TODO|FIXME|#region|istanbul|c8)/.test(line))
      break;
    if (line !== '') paragraph.push(line);
  }
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/.exec(paragraph.join(' ')) ?? [paragraph.join(' ')];
  // Commented-out code and `GET /path` add nothing.
  if (/[;{}]|=>|^(GET|POST|PUT|PATCH|DELETE)\s+\//.test(sentence)) return undefined;
  const description = sentence.trim().slice(0, MAX_DESCRIPTION);
  return /[A-Za-z]{3}/.test(description) ? description : undefined;
}
