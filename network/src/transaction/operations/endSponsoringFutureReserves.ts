import { xdr } from '@stellar/stellar-sdk';
import { endSponsorship } from '../sponsorship/index.ts';
import type { OperationRules } from './operation.ts';

const Result = xdr.EndSponsoringFutureReservesResult;

/** The sponsored account ends what another began for it (CAP-33). */
export const endSponsoringFutureReserves: OperationRules<'endSponsoringFutureReserves'> = {
  type: 'endSponsoringFutureReserves',
  threshold: () => 'medium',
  checkValid: () => undefined,
  apply({ ltx, source }) {
    const inner = endSponsorship(ltx, source)
      ? Result.endSponsoringFutureReservesSuccess()
      : Result.endSponsoringFutureReservesNotSponsored();
    return xdr.OperationResult.opInner(xdr.OperationResultTr.endSponsoringFutureReserves(inner));
  },
};
