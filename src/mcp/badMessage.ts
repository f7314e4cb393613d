import { INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server';

/** An error in the form of JSON-RPC 2.0, whose id is `null` if the request's cannot be determined. */
export interface ErrorAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

function errorAnswer(id: ErrorAnswer['id'], code: number, message: string): ErrorAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Answers a line that is longer than the limit, by the id at its start or end, where clients write it. */
export function answerToLongLine(start: string, end: string, limit: number): ErrorAnswer {
  const first = /^\s*\{(?:"jsonrpc":"2\.0",)?"id":(\d{1,15}|"[^"\\]{1,100}"),/.exec(start)?.[1];
  const last = /,"id":(\d{1,15}|"[^"\\]{1,100}")\}\s*$/.exec(end)?.[1];
  const id = first ?? last;
  const message = `The message is longer than ${limit} bytes, so it was not read.`;
  return errorAnswer(
    id === undefined ? null : (JSON.parse(id) as string | number),
    INVALID_REQUEST,
    message,
  );
}

/**
 * Answers a line that is not a message of the protocol, as JSON-RPC 2.0 requires (section 5.1).
 * @returns `undefined` if it must not be answered: it is a response, or a notification
 */
export function answerToBadLine(line: string): ErrorAnswer | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return errorAnswer(null, PARSE_ERROR, 'The line is not JSON.');
  }
  if (Array.isArray(value)) {
    return errorAnswer(
      null,
      INVALID_REQUEST,
      'Batches are not supported: send one message a line.',
    );
  }
  if (typeof value !== 'object' || value === null) {
    return errorAnswer(null, INVALID_REQUEST, 'A message is a JSON object.');
  }
  const {
    jsonrpc,
    id: given,
    method,
    params,
    result,
    error,
  } = value as Readonly<Record<string, unknown>>;
  const isResponse = method === undefined && (result !== undefined || error !== undefined);
  if (isResponse) return undefined;
  const id = isId(given) ? given : null;
  if (jsonrpc !== '2.0') return errorAnswer(id, INVALID_REQUEST, 'jsonrpc must be "2.0".');
  if (typeof method !== 'string') {
    return errorAnswer(id, INVALID_REQUEST, 'method must be a string.');
  }
  if (given === undefined) return undefined;
  if (id === null) {
    return errorAnswer(null, INVALID_REQUEST, 'id must be a string or a whole number.');
  }
  if (
    params !== undefined &&
    (typeof params !== 'object' || params === null || Array.isArray(params))
  ) {
    return errorAnswer(id, INVALID_PARAMS, 'params must be an object.');
  }
  return errorAnswer(id, INVALID_REQUEST, 'The message is not a valid request.');
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
