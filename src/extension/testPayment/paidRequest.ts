import type { HttpResponse, HttpTransport } from '../../sdk/exact/index.ts';
import { withoutMarkup } from '../http/index.ts';
import { t } from '../words/index.ts';

/** A request of a test payment, without the payment itself. */
export interface PaidRequest {
  readonly url: string;
  /** HTTP method; `GET` if omitted. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** An endpoint's response, as a sentence quotes it. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * Sends a request.
 * @param payment headers that pay for it; none while requesting the terms
 */
export async function sendRequest(
  { url, method = 'GET', headers, body }: PaidRequest,
  payment: Readonly<Record<string, string>>,
  transport: HttpTransport,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const paying = Object.keys(payment).length > 0;
  return transport({
    method,
    url,
    headers: {
      accept: 'application/json, */*;q=0.8',
      // Several public APIs refuse requests without one.
      'user-agent': 'svc-x402',
      ...headers,
      ...payment,
    },
    ...(body === undefined ? {} : { body }),
    // A request that carries a payment is not aborted half-way, because its response shows the outcome.
    ...(paying ? {} : { signal }),
  });
}

/** Status and text of a response. */
export async function readAnswer(response: HttpResponse): Promise<Answer> {
  return { status: response.status, body: await response.text() };
}

/** A sentence quotes only the beginning of a body. */
const MAX_QUOTED_FROM = 10_000;

/** An endpoint's response as part of a sentence: `500: Cannot read properties of undefined`. */
export function answerWords({ status, body }: Answer): string {
  const words = withoutMarkup(body.slice(0, MAX_QUOTED_FROM)).replace(/\s+/g, ' ').trim();
  return words === ''
    ? t('it responded with {0}', status)
    : t('it responded with {0}: {1}', status, words.slice(0, 300));
}
