/** What is read of an answer. The `Response` of `fetch` is one. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request. It must not follow redirects: what is paid goes to the URL that was asked. */
export type HttpTransport = (request: HttpRequest) => Promise<HttpResponse>;

/** The transport over `fetch`, where there is one. */
export function fetchTransport(fetch: typeof globalThis.fetch): HttpTransport {
  return ({ url, signal, ...request }) =>
    fetch(url, { ...request, redirect: 'manual', ...(signal ? { signal } : {}) });
}
