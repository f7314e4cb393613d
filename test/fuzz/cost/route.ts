import type { Json } from './json.ts';

/** Which part of the service a route belongs to. */
export type Surface =
  | 'facilitator'
  | 'discovery'
  | 'policies'
  | 'MCP'
  | 'RPC'
  | 'Horizon'
  | 'friendbot'
  | 'explorer'
  | 'archive'
  | 'control';

/** What one request may cost. */
export interface Budget {
  /** CPU of the process with all of its threads, in milliseconds. */
  readonly cpuMs: number;
  /** Of that, what the thread that serves may have, in milliseconds: nobody else is answered meanwhile. */
  readonly loopMs: number;
  /** Bytes of the answer. */
  readonly answerBytes: number;
  /** Bytes of memory that are kept afterwards, on average over many requests. */
  readonly keptBytes: number;
  /** Rows that are kept in the store. */
  readonly rows: number;
}

/** How an input is sent. */
export type Sending =
  /** The input is the body, as JSON. */
  | { readonly as: 'json'; readonly path: string }
  /** `{ path, query }`: parts of the path and members of the query. */
  | { readonly as: 'query' }
  /** `{ path, query, form }`: the same by POST, with a form. */
  | { readonly as: 'form' }
  /** The input is the arguments of a tool. */
  | { readonly as: 'tool'; readonly tool: string };

export interface Route {
  /** As in the table of budgets. */
  readonly name: string;
  readonly surface: Surface;
  readonly sending: Sending;
  /** Largest input that is tried: a little more than the route takes. */
  readonly maxBytes: number;
  readonly seeds: readonly Json[];
  /** Puts back what makes an input one of this route, after a mutation. */
  readonly pin?: (input: Json) => Json;
}
