import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Submission } from '../../close/index.ts';
import type { HorizonNetwork } from '../horizonNetwork.ts';
import type { Resource } from '../http/page.ts';
import type { SentEnvelope } from './submit.ts';

const STATUSES: Record<Submission['status'], ContentfulStatusCode> = {
  PENDING: 201,
  DUPLICATE: 409,
  TRY_AGAIN_LATER: 503,
  ERROR: 400,
};

/** Submits a transaction and answers at once with the outcome of the submission. */
export function submitAsync(
  { service }: HorizonNetwork,
  { envelope }: SentEnvelope,
): { readonly status: ContentfulStatusCode; readonly resource: Resource } {
  const { hash, submission } = service.submit(envelope);
  return {
    status: STATUSES[submission.status],
    resource: {
      error_result_xdr:
        submission.status === 'ERROR' ? submission.result.toXdr('base64') : undefined,
      tx_status: submission.status,
      hash,
    },
  };
}
