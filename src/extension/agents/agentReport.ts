/** An agent as `svc-x402 agent list --json` reads it from the ledger. */
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

const PERIODS: Readonly<Record<number, string>> = {
  86400: 'day',
  604800: 'week',
  2592000: 'month',
};
const STATES: Readonly<Record<AgentOnLedger['state'], string>> = {
  active: 'active',
  expired: 'expired',
  revoked: 'not on the ledger',
  owner: 'limited by nothing',
};

/** Reads the agents in what `svc-x402 agent list --json` printed. */
export function readAgents(printed: string): readonly AgentOnLedger[] {
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  const events = lines.map((line) => JSON.parse(line) as AgentOnLedger & { event: string });
  return events.filter(({ event }) => event === 'agent');
}

/** The budget in words, as the ledger has it: `0.95 of 1 USDC left each day`. */
export function budgetOf({ state, budgets }: AgentOnLedger): string {
  if (state !== 'active' || budgets.length === 0) return STATES[state];
  return budgets
    .map(({ left, limit, windowSeconds, sliding, paymentsLeft }) => {
      const period = PERIODS[windowSeconds] ?? `${windowSeconds} seconds`;
      const many =
        paymentsLeft === null ? '' : ` and ${paymentsLeft} payment${paymentsLeft === 1 ? '' : 's'}`;
      return `${left} of ${limit} USDC${many} left ${sliding ? 'in any' : 'each'} ${period}`;
    })
    .join(', ');
}

/** The limits beside the budget, and where the key is. */
export function agentWords({ budgets, keyFile, wallet }: AgentOnLedger): string {
  const limits = budgets.flatMap(({ perPayment, recipients, maxPayments }) => [
    ...(maxPayments === null
      ? []
      : [`at most ${maxPayments} payment${maxPayments === 1 ? '' : 's'} in a window`]),
    ...(perPayment === null ? [] : [`at most ${perPayment} USDC in one payment`]),
    ...(recipients === null
      ? []
      : [
          `pays ${recipients.length === 1 ? '1 recipient' : `${recipients.length} recipients`} only`,
        ]),
  ]);
  return [...limits, `from ${wallet.slice(0, 4)}…${wallet.slice(-4)}`, keyFile].join(' · ');
}

/** The last line that says something, of what a failed command printed. */
export function lastLine(printed: string): string {
  return printed.trim().split('\n').at(-1)?.trim() || 'The command failed.';
}
