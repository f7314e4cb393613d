/** Every failure of the passkey page: status, title, and what to do. One row a code. */
export const PASSKEY_ERRORS = {
  page_not_found: {
    status: 404,
    title: 'There is no such request',
    fix: 'Ask again in the editor.',
  },
  wrong_place: {
    status: 403,
    title: 'The page answers to localhost alone, and to itself',
    fix: 'Open the address that the editor opened.',
  },
  not_permitted: {
    status: 401,
    title: 'Only who can read the service’s own file may ask for a passkey',
    fix: 'Send `authorization: Bearer` with `passkeyToken` of service.json.',
  },
  request_pending: {
    status: 409,
    title: 'Another request for the passkey is under way',
    fix: 'Answer or cancel it first.',
  },
  request_over: {
    status: 410,
    title: 'The request was answered, was cancelled, or is too old',
    fix: 'Ask again in the editor.',
  },
  malformed_request: {
    status: 400,
    title: 'The request is malformed',
    fix: 'Read the detail.',
  },
  accounts_elsewhere: {
    status: 409,
    title: 'Smart accounts are made here on the embedded network alone',
    fix: 'Make one with a wallet, and set its address.',
  },
  call_refused: {
    status: 422,
    title: 'The network would not execute it',
    fix: 'Read the detail; nothing was signed.',
  },
  signature_refused: {
    status: 422,
    title: 'The account does not take the signature',
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
