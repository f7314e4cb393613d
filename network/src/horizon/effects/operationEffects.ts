import type { HistoryOperation } from '../history/historyOperation.ts';
import { bumpSequenceEffects, manageDataEffects, setOptionsEffects } from './accountEffects.ts';
import {
  claimClaimableBalanceEffects,
  clawbackClaimableBalanceEffects,
  createClaimableBalanceEffects,
} from './claimableBalanceEffects.ts';
import { invokeHostFunctionEffects } from './contractEffects.ts';
import type { Effect } from './effect.ts';
import {
  accountMergeEffects,
  createAccountEffects,
  paymentEffects,
  strictReceiveEffects,
  strictSendEffects,
} from './paymentEffects.ts';
import { poolDepositEffects, poolLifeEffects, poolWithdrawEffects } from './poolEffects.ts';
import { sponsorshipEffects } from './sponsorshipEffects.ts';
import { tradeEffects } from './tradeEffects.ts';
import {
  allowTrustEffects,
  changeTrustEffects,
  clawbackEffects,
  setTrustLineFlagsEffects,
} from './trustEffects.ts';

const known = new WeakMap<HistoryOperation, readonly Effect[]>();

/** The effects of an operation on accounts, in order; none if its transaction failed (Horizon `effects_processor`). */
export function operationEffects(operation: HistoryOperation): readonly Effect[] {
  if (!operation.transaction.successful) return [];
  let effects = known.get(operation);
  if (effects === undefined) {
    effects = [
      ...ownEffects(operation),
      ...sponsorshipEffects(operation),
      ...poolLifeEffects(operation),
    ];
    known.set(operation, effects);
  }
  return effects;
}

function ownEffects(operation: HistoryOperation): Effect[] {
  const { body, source } = operation;
  switch (body.type) {
    case 'createAccount':
      return createAccountEffects(body.createAccountOp, source);
    case 'payment':
      return paymentEffects(body.paymentOp, source);
    case 'pathPaymentStrictReceive':
      return strictReceiveEffects(body.pathPaymentStrictReceiveOp, operation);
    case 'pathPaymentStrictSend':
      return strictSendEffects(body.pathPaymentStrictSendOp, operation);
    case 'manageSellOffer':
    case 'manageBuyOffer':
    case 'createPassiveSellOffer':
      return tradeEffects(operation);
    case 'setOptions':
      return setOptionsEffects(body.setOptionsOp, operation);
    case 'changeTrust':
      return changeTrustEffects(body.changeTrustOp, operation);
    case 'allowTrust':
      return allowTrustEffects(body.allowTrustOp, operation);
    case 'setTrustLineFlags':
      return setTrustLineFlagsEffects(body.setTrustLineFlagsOp, operation);
    case 'accountMerge':
      return accountMergeEffects(body.destination, operation);
    case 'manageData':
      return manageDataEffects(body.manageDataOp, operation);
    case 'bumpSequence':
      return bumpSequenceEffects(operation);
    case 'createClaimableBalance':
      return createClaimableBalanceEffects(operation);
    case 'claimClaimableBalance':
      return claimClaimableBalanceEffects(body.claimClaimableBalanceOp, operation);
    case 'clawback':
      return clawbackEffects(body.clawbackOp, source);
    case 'clawbackClaimableBalance':
      return clawbackClaimableBalanceEffects(body.clawbackClaimableBalanceOp, operation);
    case 'liquidityPoolDeposit':
      return poolDepositEffects(operation);
    case 'liquidityPoolWithdraw':
      return poolWithdrawEffects(operation);
    case 'invokeHostFunction':
      return invokeHostFunctionEffects(operation);
    default:
      return [];
  }
}
