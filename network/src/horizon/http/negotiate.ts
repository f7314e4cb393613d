/** The available kinds of answer, preferred ones first. */
export type AnswerKind = 'json' | 'stream' | 'raw';

const KINDS: readonly (readonly [string, AnswerKind])[] = [
  ['application/hal+json', 'json'],
  ['application/json', 'json'],
  ['text/event-stream', 'stream'],
  ['application/octet-stream', 'raw'],
];

/** The media type that an `Accept` header prefers; undefined if it accepts none of the available ones. */
export function negotiate(accept: string | undefined): AnswerKind | undefined {
  if (accept === undefined || accept.trim() === '') return 'json';
  for (const range of rangesOf(accept)) {
    const found = KINDS.find(([type]) => isWithin(type, range));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** The media ranges of a header, preferred ones first. */
function rangesOf(accept: string): string[] {
  return accept
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
      const quality = parameters.find((one) => one.startsWith('q='));
      return { range, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range);
}

function isWithin(type: string, range: string): boolean {
  if (range === '*/*' || range === type) return true;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1));
}
