/** The reason a call was not made or paid; nothing was sent. The message is for an agent to read. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

export type RefusalCode =
  | 'invalid_request'
  | 'content_not_supported'
  | 'earlier_payment_unknown'
  | 'not_confirmed'
  | 'ceiling_reached'
  | 'key_not_limited'
  | 'receipts_unavailable'
  | 'service_unreachable';
