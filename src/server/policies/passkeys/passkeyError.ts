/** Every failure of the passkey page: status, title, and what to do. One row per code. */
export const PASSKEY_ERRORS = {
  page_not_found: {
    status: 404,
    title: 'The request does not exist',
    fix: 'Start it again in the editor.',
  },
  wrong_place: {
    status: 403,
    title: 'The page accepts requests only from itself, at localhost',
    fix: 'Open the address that the editor opened.',
  },
  not_permitted: {
    status: 401,
    title: 'Only programs that can read the service’s own file may request a passkey',
    fix: 'Send `authorization: Bearer` with `passkeyToken` of service.json.',
  },
  request_pending: {
    status: 409,
    title: 'Another passkey request is open',
    fix: 'Answer or cancel it first.',
  },
  request_over: {
    status: 410,
    title: 'The request was answered, was cancelled, or has expired',
    fix: 'Start it again in the editor.',
  },
  malformed_request: {
    status: 400,
    title: 'The request is malformed',
    fix: 'Read the detail.',
  },
  accounts_elsewhere: {
    status: 409,
    title: 'Smart accounts can be created here only on the embedded network',
    fix: 'Create one with a wallet, and set its address.',
  },
  call_refused: {
    status: 422,
    title: 'The network would not execute it',
    fix: 'Read the detail; nothing was signed.',
  },
  signature_refused: {
    status: 422,
    title: 'The account does not accept the signature',
    fix: 'Use a passkey that owns the account.',
  },
} as const satisfies Record<
  string,
  { readonly status: number; readonly title: string; readonly fix: string }
>;

export type PasskeyErrorCode = keyof typeof PASSKEY_ERRORS;

/** A request for the passkey that is refused. */
export class PasskeyError extends Error {
  readonly code: PasskeyErrorCode;

  constructor(code: PasskeyErrorCode, detail: string = PASSKEY_ERRORS[code].title) {
    super(detail);
    this.name = 'PasskeyError';
    this.code = code;
  }
}
