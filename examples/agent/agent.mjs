// An agent that does a task with resources that it pays for, until it is not allowed to pay any more.
// usage: node agent.mjs [--json] "current weather in Nairobi"

import { Keypair } from '@stellar/stellar-sdk';
// In an app that has installed svc-x402: from 'svc-x402/sdk'.
import {
  agentSigner,
  CannotPayError,
  createX402Fetch,
  MaxAmountExceededError,
} from '../../dist/sdk.node.mjs';
import * as settings from './settings.mjs';
import { decimal, tell, units } from './steps.mjs';

await run().catch((error) => {
  tell('failed', { message: error.message }, `failed      ${error.message}`);
  process.exitCode = 1;
});

async function run() {
  const { task, facilitatorUrl, rpcUrl } = settings;
  if (task === '') throw new Error('Say the task, such as "current weather in Nairobi".');
  if (!facilitatorUrl || !rpcUrl) {
    throw new Error(
      'No service runs here: start one with npm start, or set FACILITATOR_URL and STELLAR_RPC_URL.',
    );
  }
  const { choose, requestOf, search } = await import('./discovery.mjs');
  tell('task', { task }, `task        ${task}`);
  const { tools, resources } = await search(task);
  const names = resources.map(({ resource }) => resource);
  tell(
    'searched',
    { tools, found: names },
    `searched    x402_search_resources found ${names.length}${names.length > 0 ? `: ${names.join(', ')}` : ''}`,
  );
  const chosen = choose(resources);
  if (chosen === undefined) {
    const why =
      names.length === 0
        ? 'Nothing is found for this task. Nothing was paid.'
        : `None of what is found can be paid in USDC for at most ${settings.maxPrice}. Nothing was paid.`;
    tell('nothing_found', { message: why }, why);
    process.exitCode = 1;
    return;
  }
  const { entry, option } = chosen;
  const { url, from } = requestOf(entry, task);
  const price = BigInt(option.amount);
  const known = Object.entries(from).map(([name, source]) => `${name} by ${source}`);
  tell(
    'chosen',
    { url, from, price, payTo: option.payTo },
    `chosen      GET ${url} (${known.join(', ')}), ${decimal(price)} USDC to ${option.payTo}`,
  );
  await spend({ url, payTo: option.payTo, asset: option.asset });
}

/** Pays repeatedly, in sessions that each have a ceiling, until the ledger refuses. */
async function spend({ url, payTo, asset }) {
  const { openWallet } = await import('./owner.mjs');
  const key = Keypair.random();
  const { wallet, policy, budget, balanceOf } = await openWallet(key.rawPublicKey());
  const signer = agentSigner(wallet, key.rawPublicKey(), (hash) => key.sign(hash));
  const balances = async () => ({
    wallet: await balanceOf(wallet),
    seller: await balanceOf(payTo),
  });
  const before = await balances();

  let payments = 0;
  for (const ceiling of settings.sessionCeilings) {
    const pay = createX402Fetch({
      signer,
      rpcUrl: settings.rpcUrl,
      allowedAssets: [asset],
      maxAmount: units(settings.maxPrice),
      sessionCeiling: units(ceiling),
    });
    tell('session', { ceiling: units(ceiling) }, `session     its own ceiling is ${ceiling} USDC`);
    const stop = await payUntilRefused(pay, url, () => {
      payments += 1;
      return payments;
    });
    await tellStop(stop, policy, budget);
    if (stop instanceof CannotPayError) break;
  }

  const after = await balances();
  const paid = before.wallet - after.wallet;
  tell(
    'balances',
    { payments, before, after, paid },
    `balances    ${payments} payments: the wallet gave ${decimal(paid)}, the seller has ${decimal(after.seller - before.seller)} more`,
  );
}

/** @returns {Promise<MaxAmountExceededError | CannotPayError>} why it ended */
async function payUntilRefused(pay, url, count) {
  for (;;) {
    try {
      const response = await pay(url);
      const receipt = JSON.parse(atob(response.headers.get('PAYMENT-RESPONSE')));
      const facts = {
        payment: count(),
        transaction: receipt.transaction,
        body: await response.json(),
      };
      tell(
        'paid',
        facts,
        `paid ${`${facts.payment}`.padEnd(6)} ${JSON.stringify(facts.body)} in ${facts.transaction}`,
      );
    } catch (error) {
      const refused = error instanceof CannotPayError && error.reason === 'policy_refused';
      if (refused || error instanceof MaxAmountExceededError) return error;
      throw error;
    }
  }
}

/** Prints which of the two layers stopped it, and why. */
async function tellStop(error, policy, budget) {
  const { limit, spent, remaining, resetsAt } = await budget();
  if (error instanceof MaxAmountExceededError) {
    const { asked, maxAmount: left } = error;
    tell(
      'own_ceiling',
      { asked, left, spent },
      `stopped     by itself, before anything was signed: asked ${decimal(asked)}, ${decimal(left)} left of this session. A restart forgets this ceiling.`,
    );
    return;
  }
  const { refusal } = error;
  const resets = resetsAt.toISOString();
  const contract = refusal?.policyContract;
  tell(
    'ledger_refused',
    { ...refusal, expected: policy, limit, spent, remaining, resets },
    [
      'refused     by the ledger: no key of this agent gets past it',
      `  contract  ${contract}${contract === policy ? ', the spending limit of this wallet' : ''}`,
      `  error     #${refusal?.policy}, which the account passes on as #${refusal?.account}`,
      `  meaning   ${refusal?.message}`,
      `  left      ${decimal(remaining)} of ${decimal(limit)} USDC, ${decimal(spent)} spent`,
      `  resets    ${resets}`,
    ].join('\n'),
  );
}
