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

/** Who pays. */
export interface Payer {
  readonly address: StellarAddress;
  /** The key that signs (`G…`); for a plain account its address. */
  readonly key: AccountAddress;
  /** The smart account whose key it is; `undefined` for a plain account. */
  readonly wallet: ContractAddress | undefined;
  readonly signer: PaymentSigner;
}

const USDC = USDC_CONTRACT as ContractAddress;
const UNLIMITED: LimitedKey = { state: 'unlimited' };

/** What the ledger lets the payer spend. It does not limit the key of a plain account. @throws RpcFailedError */
export async function limitsOf({ wallet, key }: Payer, rpc: SorobanRpc): Promise<LimitedKey> {
  return wallet === undefined ? UNLIMITED : readLimitedKey(wallet, key, USDC, rpc);
}

/** The limits with what is left of each now. @throws RpcFailedError */
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

/** USDC that the payer holds; `null` where it cannot be read, such as without a trustline. */
export function balanceOf({ address }: Payer, rpc: SorobanRpc): Promise<Budget['balance']> {
  return readBalance(address, USDC, rpc).then(formatDecimalAmount, () => null);
}

/** Why a key may not pay for an agent; `undefined` when it may. */
export function whyNot(
  { state }: LimitedKey,
  { key, wallet }: Payer,
  allowUnlimited: boolean,
): string | undefined {
  const named = wallet === undefined ? `The account ${key}` : `The key ${key} of ${wallet}`;
  if (state === 'limited' || (state === 'unlimited' && allowUnlimited)) return undefined;
  const reasons = {
    revoked: 'is not a key of the account on the ledger: it was revoked, or never given',
    expired: 'has expired on the ledger',
    other_assets: 'may not spend USDC',
    unlimited:
      'is not under a limit on the ledger: give an agent key with a budget (docs/agents.md), or add --allow-unlimited',
  };
  return `${named} ${reasons[state]}.`;
}
