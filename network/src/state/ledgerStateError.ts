export type LedgerStateErrorCode = 'entry_exists' | 'entry_missing' | 'txn_closed';

const MESSAGES: Record<LedgerStateErrorCode, string> = {
  entry_exists: 'an entry with this key already exists',
  entry_missing: 'no entry with this key exists',
  txn_closed: 'this nested transaction was already committed',
};

/** A rule of transaction processing made an impossible change, which is a bug in the rule. */
export class LedgerStateError extends Error {
  override readonly name = 'LedgerStateError';
  readonly code: LedgerStateErrorCode;

  constructor(code: LedgerStateErrorCode, keyId?: string) {
    const key = keyId === undefined ? '' : ` (key ${Buffer.from(keyId, 'latin1').toString('hex')})`;
    super(MESSAGES[code] + key);
    this.code = code;
  }
}
