export { balanceOfContract, contractBalanceKey } from './contractBalance.ts';
export type {
  ClosedByControl,
  CloseModeName,
  ControlCalls,
  ControlMethod,
  FaultKind,
} from './controlCalls.ts';
export { AnswerFaults, Snapshots } from './controlNetwork.ts';
export { ControlServer } from './controlServer.ts';
export { type FundedAccount, fundAccounts } from './fundAccounts.ts';
export { putEntry, putTtl } from './putEntry.ts';
export { applyLimits, usableSettings } from './settingsMethods.ts';
