/** Requests for an owner's passkey, without HTTP. */
export { openPasskeys, type Passkeys } from './openPasskeys.ts';
export { PASSKEY_ERRORS, PasskeyError, type PasskeyErrorCode } from './passkeyError.ts';
export type { PasskeyAnswer } from './prepareTask.ts';
