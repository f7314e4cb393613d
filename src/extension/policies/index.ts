export { budgetAt, ledgerNow } from './budget.ts';
export {
  whatIsWrongWithCap,
  whatIsWrongWithContract,
  whatIsWrongWithCount,
  whatIsWrongWithKey,
} from './capProblem.ts';
export { connectGateway, type Gateway } from './gateway.ts';
export type { KeyPolicy } from './keyPolicy.ts';
export type { LedgerLimit, LedgerPolicy, WalletReading } from './ledgerPolicy.ts';
export { askLimits, type LimitAnswer, type LimitStep, whatIsWrongWithAnswer } from './limitForm.ts';
export {
  limitLabel,
  limitState,
  limitType,
  missingCoSigners,
  standingWords,
} from './limitWords.ts';
export { connectPasskeyPage } from './passkeyPage.ts';
export { enforcementWords, gatewayWords, type ShownPolicy, shownPolicies } from './policyView.ts';
export {
  amountWords,
  budgetWords,
  policyLabel,
  reservedWords,
  resetWords,
  shortAddress,
  typeWords,
  windowWords,
} from './policyWords.ts';
export { ServiceRefusal } from './serviceCall.ts';
