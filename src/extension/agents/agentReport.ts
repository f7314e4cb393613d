import { later, t } from '../words/index.ts';

/** An agent as printed by `svc-x402 agent list --json`. */
export interface AgentOnLedger {
  readonly name: string;
  /** `G…` */
  readonly agent: string;
  /** The smart account that it spends from. */
  readonly wallet: string;
  readonly keyFile: string;
  readonly state: 'active' | 'expired' | 'revoked' | 'owner';
  readonly budgets: readonly AgentBudget[];
}

interface AgentBudget {
  /** In USDC, decimal. */
  readonly limit: string;
  readonly left: string;
  readonly windowSeconds: number;
  readonly sliding: boolean;
  readonly maxPayments: number | null;
  readonly paymentsLeft: number | null;
  readonly perPayment: string | null;
  readonly recipients: readonly string[] | null;
}

const FIXED: Readonly<Record<number, string>> = {
  86400: later('each day'),
  604800: later('each week'),
  2592000: later('each month'),
};
const SLIDING: Readonly<Record<number, string>> = {
  86400: later('in any day'),
  604800: later('in any week'),
  2592000: later('in any month'),
};
const STATES: Readonly<Record<AgentOnLedger['state'], string>> = {
  active: later('active'),
  expired: later('expired'),
  revoked: later('not on the ledger'),
  owner: later('no limits'),
};

/** Parses the output of `svc-x402 agent list --json`. */
export function readAgents(printed: string): readonly AgentOnLedger[] {
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  const events = lines.map((line) => JSON.parse(line) as AgentOnLedger & { event: string });
  return events.filter(({ event }) => event === 'agent');
}

/** Describes the budget on the ledger: `0.95 of 1 USDC left each day`. */
export function budgetOf({ state, budgets }: AgentOnLedger): string {
  if (state !== 'active' || budgets.length === 0) return t(STATES[state]);
  return budgets
    .map(({ left, limit, windowSeconds, sliding, paymentsLeft }) => {
      const period = periodOf(windowSeconds, sliding);
      if (paymentsLeft === null) return t('{0} of {1} USDC left {2}', left, limit, period);
      return paymentsLeft === 1
        ? t('{0} of {1} USDC and 1 payment left {2}', left, limit, period)
        : t('{0} of {1} USDC and {2} payments left {3}', left, limit, paymentsLeft, period);
    })
    .join(', ');
}

function periodOf(seconds: number, sliding: boolean): string {
  const known = (sliding ? SLIDING : FIXED)[seconds];
  if (known !== undefined) return t(known);
  return sliding ? t('in any {0} seconds', seconds) : t('each {0} seconds', seconds);
}

/** The limits beside the budget, and where the key is. */
export function agentWords({ budgets, keyFile, wallet }: AgentOnLedger): string {
  const limits = budgets.flatMap(({ perPayment, recipients, maxPayments }) => [
    ...(maxPayments === null
      ? []
      : [
          maxPayments === 1
            ? t('at most 1 payment per window')
            : t('at most {0} payments per window', maxPayments),
        ]),
    ...(perPayment === null ? [] : [t('at most {0} USDC per payment', perPayment)]),
    ...(recipients === null
      ? []
      : [
          recipients.length === 1
            ? t('pays only 1 recipient')
            : t('pays only {0} recipients', recipients.length),
        ]),
  ]);
  return [...limits, t('from {0}…{1}', wallet.slice(0, 4), wallet.slice(-4)), keyFile].join(' · ');
}

/** The last non-empty line that a failed command printed. */
export function lastLine(printed: string): string {
  return printed.trim().split('\n').at(-1)?.trim() || t('The command failed.');
}
