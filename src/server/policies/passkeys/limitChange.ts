import * as xdr from '@stellar/stellar-sdk/xdr';
import { MODULE_HASHES, SPENDING_LIMIT_CHANGE } from '../../../protocol/bindings/index.ts';
import {
  type ContractAddress,
  parseContractAddress,
  XLM_CONTRACT,
} from '../../../protocol/index.ts';
import {
  constructorArguments,
  type PasskeyTask,
  type SpendingLimitState,
} from '../../../protocol/policies/index.ts';
import { instanceKey, toScAddress } from '../../../protocol/stellar/index.ts';
import { readDefinition } from '../definition/readDefinition.ts';
import type { ReadLimit } from '../definition/readLimit.ts';
import { tokenDecimals } from '../definition/tokenDecimals.ts';
import type { SponsorTools } from '../deployment/sponsorTransaction.ts';
import { limitOnLedger, summarizedLimit } from '../limitOnLedger.ts';
import { type SummarizedLimit, summaryOfLimit } from '../limitSummary.ts';
import { reaching } from '../reaching.ts';
import { moduleOf } from '../upkeep/policyLives.ts';
import { PasskeyError } from './passkeyError.ts';
import { type TaskWords, wordsOfLimitChange } from './taskWords.ts';
import type { WalletCall } from './walletCall.ts';

type ChangeTask = Extract<PasskeyTask, { kind: 'change_limits' }>;

/** A spending limit on the ledger whose module can change its limits. */
interface Changeable {
  readonly contract: ContractAddress;
  readonly wallet: ContractAddress;
  readonly state: SpendingLimitState & { readonly revision: number };
}

/**
 * Prepares the call that replaces all limits of a policy, and its description. Reads account, asset and present limits from the
 * policy's contract on the ledger, and the new limits from a definition for the same account and asset.
 * @throws PasskeyError `malformed_request`, `call_refused`, PolicyError `ledger_unavailable`
 */
export async function limitChange(
  { policy, definition }: ChangeTask,
  tools: SponsorTools,
): Promise<{ readonly call: WalletCall; readonly words: TaskWords }> {
  const known = await changeable(policy, tools);
  const next = await newLimits(definition, tools);
  const { contract, wallet, state } = known;
  if (next.wallet !== wallet) throw refused('the definition is for another account');
  if ((next.asset ?? XLM_CONTRACT) !== state.token) {
    throw refused('the definition limits another asset than the policy');
  }
  const before = summarizedLimit(state, next.decimals);
  if (sameLimits(before, next)) throw refused('the policy has these limits already');
  const args = constructorArguments(SPENDING_LIMIT_CHANGE, {
    revision: state.revision,
    limit: next.amount,
    window: next.window,
    per_payment: next.perPayment,
    recipients: next.recipients,
    payments: next.maxPayments,
    sliding: next.sliding,
  });
  const invocation = {
    contractAddress: toScAddress(contract),
    functionName: 'change_limits',
    args: args.map(({ encoded }) => encoded),
  };
  const words = wordsOfLimitChange({
    wallet,
    policy: contract,
    token: state.token,
    before: summaryOfLimit(before),
    after: summaryOfLimit(next),
  });
  return { call: { wallet, invocation: new xdr.InvokeContractArgs(invocation) }, words };
}

async function changeable(policy: string, tools: SponsorTools): Promise<Changeable> {
  const contract = parseContractAddress(policy);
  if (contract === undefined) throw malformed(`${policy} is not a contract (C…)`);
  const { entries } = await reaching(() => tools.network.getLedgerEntries([instanceKey(contract)]));
  const module = Buffer.from(moduleOf(entries[0]) ?? []).toString('hex');
  const state = limitOnLedger(entries[0]);
  const wallet = parseContractAddress(state?.wallet ?? '');
  const { revision } = state ?? {};
  if (module !== MODULE_HASHES['spending-limit'] || !state || !wallet || revision === undefined) {
    throw refused(`${contract} is not a spending limit whose limits can change`);
  }
  return { contract, wallet, state: { ...state, revision } };
}

/** Reads the new limits. Limits on the ledger do not name a key, so a definition with `agent` would promise too much. */
async function newLimits(
  definition: unknown,
  tools: SponsorTools,
): Promise<ReadLimit & { readonly wallet: ContractAddress }> {
  const read = readDefinition(definition, await tokenDecimals(definition, tools));
  if (!read.ok) {
    throw malformed(read.problems.map(({ path, message }) => `${path}: ${message}`).join(' '));
  }
  const { definition: next } = read;
  if (next.type !== 'spending_limit') throw malformed('the definition is not a spending_limit');
  if (next.agent !== null) throw malformed('agent: a policy keeps the key that it was created for');
  return next;
}

function sameLimits(before: SummarizedLimit, next: SummarizedLimit): boolean {
  const words = ({
    amount,
    window,
    sliding,
    maxPayments,
    perPayment,
    recipients,
  }: SummarizedLimit) =>
    [amount, window, sliding, maxPayments, perPayment, recipients?.join(' ')].map(String).join();
  return words(before) === words(next);
}

function malformed(detail: string): PasskeyError {
  return new PasskeyError('malformed_request', detail);
}

function refused(detail: string): PasskeyError {
  return new PasskeyError('call_refused', detail);
}
