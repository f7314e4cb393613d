import { AgentWallet } from '../../test/policies/support/agentWallet.ts';
import { MODULES } from '../../test/policies/support/contractModules.ts';
import { USDC } from '../../test/support/payment.ts';
import type { Contender } from './governedAccount.ts';

const DAY = 86_400n;

/** This project's account with its spending limit. */
export const ours: Contender = {
  name: 'Svc x402',
  since: 27,
  modules: [
    { name: 'smart-account', ...MODULES.account },
    { name: 'spending-limit', ...MODULES.spendingLimit },
  ],
  async open(chain, limit) {
    const wallet = await AgentWallet.open(chain, 'governed payments');
    const policy = await wallet.limit(undefined, limit, DAY);
    await wallet.attach(policy);
    await wallet.grant([USDC], [policy]);
    return wallet;
  },
};
