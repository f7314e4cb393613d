import {
  ERROR_TABLE,
  EXTENSION_RESPONSES_HEADER,
  encodeHeaderMessage,
  type HttpStatus,
} from '../../protocol/index.ts';
import type { Rejection, SettleOutcome, VerifyOutcome } from '../facilitator/index.ts';
import { endpointOf, errorBody, failedBody, invalidBody } from './errorBodies.ts';

/** An HTTP response. */
export interface Answer {
  readonly status: HttpStatus;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the response of a refusal on a path, in the form of its endpoint. */
export function refusal(path: string, rejection: Rejection): Answer {
  return {
    status: ERROR_TABLE[rejection.code].status,
    body: errorBody(endpointOf(path), rejection),
  };
}

/** Returns the response of `POST /verify`. */
export function verifyAnswer(outcome: VerifyOutcome): Answer {
  if (outcome.status === 'valid') {
    return { status: 200, body: { isValid: true, payer: outcome.payer } };
  }
  const { rejection } = outcome;
  return { status: ERROR_TABLE[rejection.code].status, body: invalidBody(rejection) };
}

/**
 * Returns the response of `POST /settle`. Only a success has the `extension-responses` header
 * (spec: POST /verify and POST /settle).
 */
export function settleAnswer(outcome: SettleOutcome): Answer {
  switch (outcome.status) {
    case 'settled': {
      const { payment, hash, extensions } = outcome;
      return {
        status: 200,
        body: {
          success: true,
          transaction: hash,
          network: payment.network,
          payer: payment.payer,
          amount: payment.amount.toString(),
          errorReason: null,
        },
        headers: { [EXTENSION_RESPONSES_HEADER]: encodeHeaderMessage(extensions) },
      };
    }
    case 'rejected':
      return {
        status: ERROR_TABLE[outcome.rejection.code].status,
        body: failedBody(outcome.rejection, outcome.rejection.known?.hash ?? ''),
      };
    case 'failed':
    case 'pending':
      return { status: 200, body: failedBody(outcome.rejection, outcome.hash) };
  }
}
