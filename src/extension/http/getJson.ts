import type * as z from 'zod/mini';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { t } from '../words/index.ts';
import { askText } from './askText.ts';

/** Why a read over HTTP failed. */
export class ReadError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;

  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadError';
    this.status = status;
  }
}

/** Fetches JSON and validates it with a schema. @throws ReadError */
export async function getJson<T>(
  transport: HttpTransport,
  url: string,
  schema: z.ZodMiniType<T>,
  signal?: AbortSignal,
): Promise<T> {
  const place = new URL(url).host;
  const request = { method: 'GET', url, headers: { accept: 'application/json' }, signal } as const;
  const { status, text } = await askText(
    transport,
    request,
    (cause) => new ReadError(t('{0} cannot be reached.', place), 0, { cause }),
  );
  if (status < 200 || status >= 300)
    throw new ReadError(t('{0} responded with {1}.', place, status), status);
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new ReadError(t('{0} returned an unrecognized response.', place), status);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
