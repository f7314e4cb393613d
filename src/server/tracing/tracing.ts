/** A request to the service, without anything that a payment contains. */
export interface TracedRequest {
  readonly method: string;
  /** Path of the route; `other` for unknown paths. */
  readonly route: string;
  /** The caller's headers, which may name a trace that the request belongs to. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Reports what the service does as spans of traces. */
export interface Tracing {
  /**
   * Runs the work of a request in a span.
   * @param status the status of the answer, once the work is done
   */
  request(request: TracedRequest, work: () => Promise<void>, status: () => number): Promise<void>;
  /** Adds a call to the ledger that has just ended to the span of the request that made it. @param outcome `ok`, or the code of its failure */
  rpcCall(method: string, outcome: string, seconds: number): void;
  /** Sends the remaining spans, and stops. */
  close(): Promise<void>;
}

/** Reports nothing. */
export const NO_TRACING: Tracing = {
  request: (_request, work) => work(),
  rpcCall() {},
  close: async () => undefined,
};
