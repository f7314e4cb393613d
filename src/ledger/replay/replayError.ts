export type ReplayErrorCode =
  | 'bad_framing'
  | 'bad_record'
  | 'unsupported_meta'
  | 'empty_file'
  | 'bad_protocol'
  | 'bad_usage';

const MESSAGES: Record<ReplayErrorCode, string> = {
  bad_framing: 'not a stream of framed XDR records',
  bad_record: 'a record is not a LedgerCloseMeta',
  unsupported_meta: 'only LedgerCloseMeta of version 2 can be replayed',
  empty_file: 'there is no ledger in the file',
  bad_protocol: 'there is a host for the protocols 27 and 28 only',
  bad_usage: 'usage: ledger:replay PATH… [--passphrase P] [--protocol 27|28] [--verbose]',
};

/** A file that cannot be replayed, or a command line that cannot be understood. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly code: ReplayErrorCode;

  constructor(code: ReplayErrorCode, detail?: string) {
    super(detail === undefined ? MESSAGES[code] : `${MESSAGES[code]} (${detail})`);
    this.code = code;
  }
}
