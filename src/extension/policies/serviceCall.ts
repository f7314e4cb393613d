import * as z from 'zod/mini';
import { oneLine, parseVisibleJson } from '../../protocol/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { askText } from '../http/index.ts';
import { t } from '../words/index.ts';

const problemShape = z.looseObject({
  code: z.string(),
  detail: z.string(),
  fix: z.optional(z.string()),
});

/** Why the gateway, or the service's passkey page, refused a request. */
export class ServiceRefusal extends Error {
  /** The service's error code, such as `wallet_rate_limited`; `unreachable` without a response. */
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceRefusal';
    this.code = code;
    this.status = status;
  }
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly body?: object;
  readonly authorization?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Requests JSON. @throws ServiceRefusal */
export async function callService<T>(
  transport: HttpTransport,
  { method, url, body, authorization, signal }: ServiceRequest,
  shape: z.ZodMiniType<T>,
): Promise<T> {
  const place = new URL(url).host;
  const request = {
    method,
    url,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  };
  const { status, text } = await askText(transport, request, (cause) => {
    const message = t('The policy gateway {0} cannot be reached.', place);
    return new ServiceRefusal('unreachable', 0, message, { cause });
  });
  const answer = parseVisibleJson(text);
  const parsed = z.safeParse(shape, answer);
  if (status === 200 && parsed.success) return parsed.data;
  const problem = z.safeParse(problemShape, answer);
  if (status === 200 || !problem.success) {
    const message = t(
      '{0} returned an unrecognized response ({1}). Is it a policy gateway?',
      place,
      status,
    );
    throw new ServiceRefusal('bad_answer', status, message);
  }
  const { code, detail, fix = '' } = problem.data;
  const sentence = /[.!?]$/.test(detail) ? detail : `${detail}.`;
  throw new ServiceRefusal(code, status, oneLine(`${sentence} ${fix}`));
}
