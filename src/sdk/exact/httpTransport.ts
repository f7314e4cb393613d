/** The parts of a response that are read. The `Response` of `fetch` is one. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Returns a copy whose body can be read besides this one's. Without it, the reason of a refusal in a body is not read. */
  clone?(): HttpResponse;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request. It must not follow redirects: the payment must go to the URL that requested it. */
export type HttpTransport = (request: HttpRequest) => Promise<HttpResponse>;

/** Creates the transport over `fetch`, on platforms that have it. */
export function fetchTransport(fetch: typeof globalThis.fetch): HttpTransport {
  return ({ url, signal, ...request }) =>
    fetch(url, { ...request, redirect: 'manual', ...(signal ? { signal } : {}) });
}
