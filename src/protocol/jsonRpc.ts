/** The response of a JSON-RPC 2.0 server. */
export type JsonRpcAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** It refused the call. `code` is the number of the error, if it has one. */
  | { readonly kind: 'error'; readonly message: string; readonly code: number | undefined }
  /** It is not a valid response. `why` completes «it answered …». */
  | { readonly kind: 'malformed'; readonly why: string };

/** Builds the body of one JSON-RPC 2.0 call (jsonrpc.org/specification, 4). `params` is left out if it is undefined. */
export function jsonRpcCall(id: number, method: string, params: object | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) });
}

/**
 * Reads the body of the response to one call (jsonrpc.org/specification, 5). A response with the id of another call is
 * malformed: a proxy or cache has mixed them up. An error may have the id `null`, because its server may not have been able to
 * read the call. An error without an id is accepted, since HTTP ties the response to the call. Never throws.
 * @param id of the call
 */
export function readJsonRpcAnswer(text: string, id: number): JsonRpcAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { kind: 'malformed', why: 'with a body that is not JSON' };
  }
  if (typeof answer !== 'object' || answer === null) {
    return { kind: 'malformed', why: 'with something that is not a JSON-RPC answer' };
  }
  if (!answersCall(answer, id)) {
    return { kind: 'malformed', why: 'with the id of another call' };
  }
  if ('error' in answer && typeof answer.error === 'object' && answer.error !== null) {
    const { code, message } = answer.error as { code?: unknown; message?: unknown };
    return {
      kind: 'error',
      message: typeof message === 'string' ? message : 'no message',
      code: typeof code === 'number' ? code : undefined,
    };
  }
  if ('result' in answer) return { kind: 'result', result: answer.result };
  return { kind: 'malformed', why: 'with neither a result nor an error' };
}

function answersCall(answer: object, id: number): boolean {
  if (!('id' in answer) || answer.id === id) return true;
  return answer.id === null && 'error' in answer && !('result' in answer);
}
