/** Why reading the catalog failed. */
export type CatalogErrorCode =
  | 'service_unreachable'
  | 'verified_only_unavailable'
  | 'invalid_request'
  | 'rate_limited'
  | 'bad_answer';

/** A failure to read the catalog. The message says what to do. */
export class CatalogError extends Error {
  readonly code: CatalogErrorCode;

  constructor(code: CatalogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CatalogError';
    this.code = code;
  }
}
