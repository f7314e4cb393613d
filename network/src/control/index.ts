export { AnswerFaults } from './answerFaults.ts';
export { balanceOfContract, contractBalanceKey } from './contractBalance.ts';
export type {
  ClosedByControl,
  CloseModeName,
  ControlCalls,
  ControlMethod,
  FaultKind,
} from './controlCalls.ts';
export { ControlServer } from './controlServer.ts';
export { type FundedAccount, fundAccounts } from './fundAccounts.ts';
export { putEntry, putTtl } from './putEntry.ts';
export { applyLimits, usableSettings } from './setSettings.ts';
export { Snapshots } from './snapshots.ts';
