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
  empty_file: 'the file has no ledgers',
  bad_protocol: 'only protocols 27 and 28 have a host',
  bad_usage: 'usage: ledger:replay PATH… [--passphrase P] [--protocol 27|28] [--verbose]',
};

/** A file cannot be replayed, or the command line is invalid. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly code: ReplayErrorCode;

  constructor(code: ReplayErrorCode, detail?: string) {
    super(detail === undefined ? MESSAGES[code] : `${MESSAGES[code]} (${detail})`);
    this.code = code;
  }
}
