/** The response of a JSON-RPC 2.0 server. */
export type JsonRpcAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The server refused the call. `code` is the error's number, if it has one. */
  | { readonly kind: 'error'; readonly message: string; readonly code: number | undefined }
  /** The response is invalid. `why` completes "it answered …". */
  | { readonly kind: 'malformed'; readonly why: string };

/** Builds the body of one JSON-RPC 2.0 call (jsonrpc.org/specification, 4). `params` is left out if it is undefined. */
export function jsonRpcCall(id: number, method: string, params: object | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) });
}

/** One call of a batch. */
export interface JsonRpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: object | undefined;
}

/** Builds the body of a batch (jsonrpc.org/specification, 6). */
export function jsonRpcBatch(calls: readonly JsonRpcCall[]): string {
  return `[${calls.map(({ id, method, params }) => jsonRpcCall(id, method, params)).join()}]`;
}

/**
 * Reads the body of the response to a batch (jsonrpc.org/specification, 6), whose answers come in any order. A call with no
 * answer or with two counts as malformed. Never throws.
 * @param ids the calls' ids
 * @returns one answer for each id; `undefined` if the body answers none of the calls because the server does not support
 *   batches
 */
export function readJsonRpcBatch(
  text: string,
  ids: readonly number[],
): readonly JsonRpcAnswer[] | undefined {
  let answers: unknown;
  try {
    answers = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(answers)) return undefined;
  const byId = new Map<unknown, unknown[]>(ids.map((id) => [id, []]));
  for (const answer of answers as unknown[]) {
    if (typeof answer === 'object' && answer !== null && 'id' in answer) {
      byId.get(answer.id)?.push(answer);
    }
  }
  if (ids.every((id) => byId.get(id)?.length === 0)) return undefined;
  return ids.map((id) => {
    const [answer, ...more] = byId.get(id) ?? [];
    if (answer === undefined) return { kind: 'malformed', why: 'other calls of a batch only' };
    if (more.length > 0) return { kind: 'malformed', why: 'one call of a batch twice' };
    return readAnswer(answer, id);
  });
}

/**
 * Reads the body of the response to one call (jsonrpc.org/specification, 5). A response with another call's id is malformed: a
 * proxy or cache has mixed them up. An error may have the id `null`, because the server may have failed to read the call. An
 * error without an id is accepted, since HTTP ties the response to the call. Never throws.
 * @param id the call's id
 */
export function readJsonRpcAnswer(text: string, id: number): JsonRpcAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { kind: 'malformed', why: 'with a body that is not JSON' };
  }
  return readAnswer(answer, id);
}

function readAnswer(answer: unknown, id: number): JsonRpcAnswer {
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
