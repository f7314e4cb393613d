/** `other` is a server that has no payment adapter, or one that could not be determined. */
export type Framework =
  | 'express'
  | 'fastify'
  | 'hono'
  | 'next-app'
  | 'next-pages'
  | 'decorators'
  | 'other';

/** A part of the text, in characters of the whole text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Why a change to this file cannot add a payment to a route, as a code and in words. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
}

export type RefusalCode =
  | 'syntax_error'
  | 'unsupported_file'
  | 'no_route'
  | 'already_gated'
  | 'not_gated'
  | 'method_not_sellable'
  | 'several_methods'
  | 'path_not_static'
  | 'path_not_supported'
  | 'order_not_assured'
  | 'no_instance_name'
  | 'handler_elsewhere'
  | 'handler_used_elsewhere'
  | 'layout_not_supported'
  | 'pages_router'
  | 'framework_not_supported'
  | 'framework_unknown'
  | 'framework_version'
  | 'decorators'
  | 'next_version'
  | 'runtime_not_supported'
  | 'static_rendering'
  | 'block_edited'
  | 'invalid_price'
  | 'invalid_pay_to'
  | 'invalid_url';

/** An endpoint that the code defines. */
export interface Route {
  readonly framework: Framework;
  /** In capitals; `*` for every method. */
  readonly method: string;
  /** As people write it: `/weather/:city`; its code if the path is unknown. */
  readonly path: string;
  readonly params: readonly string[];
  /** The complete path in URLs, if the code shows where a Hono app is mounted or a controller begins: `/api/items`. */
  readonly mounted?: string;
  /** The statement that creates the route. */
  readonly range: Range;
  /** The complete statement, from what the route is registered on; in a chain, more than `range`. */
  readonly call: Range;
  /** The function that handles requests, if this file contains it. */
  readonly handler: Range | undefined;
  /** What already requires payment: a marked block, or other code. */
  readonly gated: 'marker' | 'code' | undefined;
  /** `likely` if only names indicate the framework. */
  readonly confidence: 'certain' | 'likely';
  /** Set when the route cannot be changed. */
  readonly refusal: Refusal | undefined;
}

/** How to sell a route that no change of its code can sell: the command puts a server with payments in front of the app. */
export const SELL_BY_PROXY =
  'Sell it without changing its code: svc-x402 proxy http://127.0.0.1:PORT --price 0.01 --pay-to G…';

export function refuse(code: RefusalCode, message: string): Refusal {
  return { code, message };
}
