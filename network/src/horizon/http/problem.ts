import type { ContentfulStatusCode } from 'hono/utils/http-status';

const TYPE_PREFIX = 'https://stellar.org/horizon-errors/';

/** The body of an error response (RFC 7807). */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly extras?: Readonly<Record<string, unknown>>;
}

interface ProblemKind {
  readonly title: string;
  readonly status: ContentfulStatusCode;
  readonly detail: string;
}

const KINDS = {
  server_error: {
    title: 'Internal Server Error',
    status: 500,
    detail:
      'An error occurred while processing this request.  This is usually due ' +
      'to a bug within the server software.  Trying this request again may ' +
      'succeed if the bug is transient. Otherwise, please contact the system ' +
      'administrator.',
  },
  not_found: {
    title: 'Resource Missing',
    status: 404,
    detail:
      'The resource at the url requested was not found.  This usually ' +
      'occurs for one of two reasons:  The url requested is not valid, or no ' +
      'data in our database could be found with the parameters provided.',
  },
  bad_request: {
    title: 'Bad Request',
    status: 400,
    detail: 'The request you sent was invalid in some way.',
  },
  not_acceptable: {
    title: 'An acceptable response content-type could not be provided for this request',
    status: 406,
    detail: '',
  },
  unsupported_media_type: {
    title: 'Unsupported Media Type',
    status: 415,
    detail:
      'The request has an unsupported content type. Presently, the ' +
      'only supported content type is application/x-www-form-urlencoded.',
  },
  before_history: {
    title: 'Data Requested Is Before Recorded History',
    status: 410,
    detail:
      'This horizon instance is configured to only track a ' +
      "portion of the stellar network's latest history. This request " +
      'is asking for results prior to the recorded history known to ' +
      'this horizon instance.',
  },
  invalid_accounts_params: {
    title: 'Invalid Accounts Parameters',
    status: 400,
    detail:
      'Exactly one filter is required. Please ensure that you are including a signer, sponsor, ' +
      'asset, or liquidity pool filter.',
  },
  transaction_malformed: {
    title: 'Transaction Malformed',
    status: 400,
    detail:
      'Horizon could not decode the transaction envelope in this ' +
      'request. A transaction should be an XDR TransactionEnvelope struct ' +
      'encoded using base64.  The envelope read from this request is ' +
      'echoed in the `extras.envelope_xdr` field of this response for your ' +
      'convenience.',
  },
  transaction_failed: {
    title: 'Transaction Failed',
    status: 400,
    detail:
      'The transaction failed when submitted to the stellar network. ' +
      'The `extras.result_codes` field on this response contains further ' +
      'details.  Descriptions of each code can be found at: ' +
      'https://developers.stellar.org/api/errors/http-status-codes/horizon-specific/transaction-failed/',
  },
  transaction_submission_timeout: {
    title: 'Transaction Submission Timeout',
    status: 504,
    detail:
      'Your transaction submission request has timed out. This does not necessarily mean the submission has failed. ' +
      'Before resubmitting, please use the transaction hash provided in `extras.hash` to poll the GET /transactions endpoint for sometime and ' +
      'check if it was included in a ledger.',
  },
  invalid_order_book: {
    title: 'Invalid Order Book Parameters',
    status: 400,
    detail:
      'The parameters that specify what order book to view are invalid in some way. ' +
      'Please ensure that your type parameters (selling_asset_type and buying_asset_type) are one the ' +
      'following valid values: native, credit_alphanum4, credit_alphanum12.  Also ensure that you ' +
      'have specified selling_asset_code and selling_asset_issuer if selling_asset_type is not ' +
      "'native', as well as buying_asset_code and buying_asset_issuer if buying_asset_type is not " +
      "'native'",
  },
} as const satisfies Record<string, ProblemKind>;

export type HorizonProblemCode = keyof typeof KINDS;

/** Why a request is refused, in Horizon's wording. */
export class HorizonProblem extends Error {
  override readonly name = 'HorizonProblem';
  readonly code: HorizonProblemCode;
  readonly extras: Readonly<Record<string, unknown>> | undefined;
  readonly #detail: string | undefined;

  constructor(
    code: HorizonProblemCode,
    extras?: Readonly<Record<string, unknown>>,
    detail?: string,
  ) {
    super(detail ?? KINDS[code].detail);
    this.code = code;
    this.extras = extras;
    this.#detail = detail;
  }

  get status(): ContentfulStatusCode {
    return KINDS[this.code].status;
  }

  get body(): ProblemBody {
    const { title, status, detail: usual } = KINDS[this.code];
    const detail = this.#detail ?? usual;
    return {
      type: TYPE_PREFIX + this.code,
      title,
      status,
      ...(detail === '' ? {} : { detail }),
      ...(this.extras === undefined ? {} : { extras: this.extras }),
    };
  }
}

/** The problem for an invalid parameter. */
export function invalidField(field: string, reason: string): HorizonProblem {
  return new HorizonProblem('bad_request', { invalid_field: field, reason });
}
