import type { Budget, LedgerLimit } from '../../mcp/pay/purse.ts';
import {
  type AccountAddress,
  type ContractAddress,
  formatDecimalAmount,
  type StellarAddress,
  USDC_CONTRACT,
} from '../../protocol/index.ts';
import {
  type LimitedKey,
  readBalance,
  readBudget,
  readLimitedKey,
} from '../../sdk/agents/index.ts';
import type { PaymentSigner, SorobanRpc } from '../../sdk/exact/index.ts';

/** The account and key that pay. */
export interface Payer {
  readonly address: StellarAddress;
  /** The key that signs (`G…`); for a plain account its address. */
  readonly key: AccountAddress;
  /** The smart account whose key it is; `undefined` for a plain account. */
  readonly wallet: ContractAddress | undefined;
  /** No other agent pays from this account: its key file is one of `svc-x402 agent grant`. */
  readonly ownsAccount: boolean;
  readonly signer: PaymentSigner;
}

const USDC = USDC_CONTRACT as ContractAddress;
const UNLIMITED: LimitedKey = { state: 'unlimited' };

/** Returns the payer's limits on the ledger. The key of a plain account has none. @throws RpcFailedError */
export async function limitsOf({ wallet, key }: Payer, rpc: SorobanRpc): Promise<LimitedKey> {
  return wallet === undefined ? UNLIMITED : readLimitedKey(wallet, key, USDC, rpc);
}

/** Returns the limits and the remainder of each. @throws RpcFailedError */
export async function readLimits(key: LimitedKey, rpc: SorobanRpc): Promise<LedgerLimit[]> {
  if (key.state !== 'limited') return [];
  return Promise.all(
    key.limits.map(async (policy) => {
      const budget = await readBudget(policy, rpc);
      return {
        policy: budget.policy,
        limit: budget.limit,
        spent: budget.spent,
        left: budget.left,
        windowSeconds: Number(budget.window),
        sliding: budget.sliding,
        maxPayments: budget.maxPayments ?? null,
        paymentsLeft: budget.paymentsLeft ?? null,
        resetsAt: budget.resetsAt?.toISOString() ?? null,
        perPayment: budget.perPayment ?? null,
        recipients: budget.recipients ?? null,
      };
    }),
  );
}

/** Returns the payer's USDC balance; `null` if it cannot be read, for example without a trustline. */
export function balanceOf({ address }: Payer, rpc: SorobanRpc): Promise<Budget['balance']> {
  return readBalance(address, USDC, rpc).then(formatDecimalAmount, () => null);
}

/** Returns the reason a key may not pay for an agent; `undefined` if it may. */
export function whyNot(
  { state }: LimitedKey,
  { key, wallet }: Payer,
  allowUnlimited: boolean,
): string | undefined {
  const named = wallet === undefined ? `The account ${key}` : `The key ${key} of ${wallet}`;
  if (state === 'limited' || (state === 'unlimited' && allowUnlimited)) return undefined;
  const reasons = {
    revoked: 'is not a key of the account on the ledger: it was revoked, or never added',
    expired: 'has expired on the ledger',
    other_assets: 'may not spend USDC',
    unlimited:
      'has no limit on the ledger: use an agent key with a budget (docs/agents.md), or add --allow-unlimited',
  };
  return `${named} ${reasons[state]}.`;
}
