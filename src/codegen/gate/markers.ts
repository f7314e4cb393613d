/** The lines around inserted code, by which it is recognized later. */
export const BLOCK_BEGIN = 'svc-x402: payments';
export const BLOCK_END = 'svc-x402: end of payments';

/**
 * A marked block: from the beginning of its first line to the end of its last, line end excluded. In a chain of calls, the first
 * mark may end the line of the call before it.
 */
export interface MarkedBlock {
  readonly start: number;
  readonly end: number;
}

/** Whether code compares a request's method with HEAD, as the line does that answers HEAD in Hono. */
export function comparesHead(code: string): boolean {
  const method = code.search(/\.req\.method\b/);
  return method >= 0 && code.includes('HEAD', method);
}

/** Whether a position is between the marks of a payment. */
export function isInPayment(text: string, offset: number): boolean {
  return markedBlocks(text).some(({ start, end }) => start <= offset && offset <= end);
}

/** The marked blocks of a text, first to last. A mark without its counterpart is ignored. */
export function markedBlocks(text: string): readonly MarkedBlock[] {
  const blocks: MarkedBlock[] = [];
  const lines = /(?:^|(?<=\)))[ \t]*\/\/ (svc-x402: (?:end of )?payments)[ \t]*(?=\r?$)/gm;
  let begin: number | undefined;
  for (const match of text.matchAll(lines)) {
    if (match[1] === BLOCK_BEGIN) begin = match.index;
    else if (begin !== undefined) {
      blocks.push({ start: begin, end: match.index + match[0].length });
      begin = undefined;
    }
  }
  return blocks;
}
