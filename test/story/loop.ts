import assert from 'node:assert/strict';
import { join } from 'node:path';
import { formatDecimalAmount as decimal } from '../../src/protocol/index.ts';
import { transfersTo } from '../helpers/transferFollower.ts';
import { type AgentRun, runAgent, TASK } from './agent.ts';
import type { Developer } from './developer.mjs';
import { CAP, PAYMENTS, PRICE, type Service, UNITS } from './scene.ts';
import type { Tale } from './tale.ts';

/** Whom the agent asks, and what its owner gives it. */
function environmentOf(service: Service, facilitatorUrl: string) {
  return {
    FACILITATOR_URL: facilitatorUrl,
    STELLAR_RPC_URL: service.rpcUrl,
    FRIENDBOT_URL: service.friendbotUrl,
    FUNDING: '0.1',
    CAP,
    MAX_PRICE: '0.02',
    // Its own ceiling is out of the way here: the ledger is to stop it.
    SESSION_CEILINGS: '1',
  };
}

/** The agent is asked, and finds nothing. */
export function findNothing(tale: Tale, service: Service, facilitatorUrl: string): Promise<void> {
  return tale.step(`An agent is asked for “${TASK}” and finds nothing`, async () => {
    const run = await runAgent(environmentOf(service, facilitatorUrl));
    assert.equal(run.code, 1);
    assert.deepEqual(run.one('searched')['found'], []);
    const { message } = run.one('nothing_found');
    return {
      text: [
        `It starts the discovery server (\`svc-x402 mcp\`) and calls its tool \`x402_search_resources\`. It says: “${message}”`,
      ],
    };
  });
}

/** The agent finds, reads how to call and pay, pays under its limit, and is stopped by the ledger. */
export async function payUntilRefused(
  tale: Tale,
  service: Service,
  facilitatorUrl: string,
  payTo: string,
): Promise<AgentRun> {
  let run: AgentRun | undefined;
  await tale.step('The agent searches again, finds it, and pays until it may not', async () => {
    run = await runAgent(environmentOf(service, facilitatorUrl));
    const last = JSON.stringify(run.steps.at(-1));
    assert.equal(run.code, 0, last);
    const chosen = run.one('chosen');
    assert.match(String(chosen['url']), /\/weather\/Nairobi$/);
    assert.equal(chosen['price'], `${UNITS}`);
    assert.equal(chosen['payTo'], payTo);
    const paid = run.all('paid');
    assert.equal(paid.length, PAYMENTS);
    for (const { body } of paid) assert.deepEqual(body, { city: 'Nairobi', tempC: 24 });
    const { wallet } = run.one('wallet');
    const { policy } = run.one('deployed');
    const { transaction: attach, hash } = run.one('attached');
    return {
      text: [
        `From the catalog's entry it reads how to call and what to pay: \`GET ${chosen['url']}\`, ${PRICE} USDC, to \`${payTo}\`.`,
        `Its owner has a smart account, \`${wallet}\`. By the policy gateway a spending limit of ${CAP} USDC a day is generated, simulated and deployed at the sponsor's expense (\`${policy}\`), attached by the owner's signature (\`${attach ?? hash}\`), and recorded. The agent has an Ed25519 key that may only call USDC's contract, and only when that policy agrees.`,
        `It pays ${PAYMENTS} times, and gets each time what it asked for:\n\n| | settled in | answer |\n|---|---|---|\n${paid
          .map(
            ({ transaction, body }, index) =>
              `| ${index + 1} | \`${transaction}\` | \`${JSON.stringify(body)}\` |`,
          )
          .join('\n')}`,
      ],
    };
  });
  if (run === undefined) throw new Error('the agent was not started');
  const done = run;
  await tale.step('At the cap the ledger refuses', async () => {
    const refused = done.one('ledger_refused');
    assert.deepEqual([refused['policy'], refused['account']], [1, 110]);
    assert.equal(refused['policyContract'], done.one('deployed')['policy']);
    const spent = UNITS * BigInt(PAYMENTS);
    assert.deepEqual([refused['limit'], refused['spent']], ['500000', `${spent}`]);
    assert.equal(refused['remaining'], `${500_000n - spent}`);
    const { before, after, paid } = done.one('balances') as unknown as {
      before: { wallet: string };
      after: { wallet: string };
      paid: string;
    };
    assert.equal(paid, `${spent}`);
    assert.equal(BigInt(before.wallet) - BigInt(after.wallet), spent);
    return {
      text: [
        `A fifth payment would make ${decimal(spent + UNITS)} of ${CAP}. The account's \`__check_auth\` asks the policy \`${refused['policyContract']}\`, which fails with \`Error(Contract, #${refused['policy']})\`; the account passes it on as \`#${refused['account']}\`. In words: “${refused['message']}”`,
        `Spent ${decimal(spent)}, left ${decimal(500_000n - spent)} USDC, until ${refused['resets']}. Nothing was submitted, and the wallet has given ${decimal(spent)} USDC in all.`,
      ],
    };
  });
  return done;
}

interface EarningsFacts {
  /** Hashes that agents received. */
  readonly told: readonly string[];
  /** Test payments from the editor. */
  readonly tests: number;
  readonly picture: string;
  readonly facilitatorUrl: string;
  /** Settlements that this facilitator's catalog should have counted. */
  readonly cataloged: number;
}

/** Settlements that a catalog has counted. */
async function countedBy(facilitatorUrl: string): Promise<number> {
  const response = await fetch(`${facilitatorUrl}/discovery/resources`);
  const { items } = (await response.json()) as { items: { trust: { settlements: number } }[] };
  return items.reduce((sum, { trust }) => sum + trust.settlements, 0);
}

/** What the editor has paid and what the agent has, on the ledger and in the sidebar. */
export function countEarnings(
  tale: Tale,
  service: Service,
  developer: Developer,
  facts: EarningsFacts,
): Promise<void> {
  const { told, tests, picture, facilitatorUrl, cataloged } = facts;
  return tale.step('The sidebar shows the earnings to the last stroop', async () => {
    const { payTo } = developer;
    const transfers = await transfersTo(service.rpcUrl, payTo, 2);
    const hashes = [...transfers.values()].flat();
    assert.deepEqual([...transfers.keys()], [UNITS]);
    assert.equal(new Set(hashes).size, hashes.length, 'no settlement twice');
    assert.equal(hashes.length, told.length + tests, 'every settlement was reported');
    for (const hash of told) assert.ok(hashes.includes(hash), hash);
    const sum = UNITS * BigInt(hashes.length);
    const balance = await service.usdcOf(payTo);
    assert.equal(balance, sum);
    assert.equal(await countedBy(facilitatorUrl), cataloged);
    const seen = await developer.seeEarnings(`${decimal(sum)} USDC`, hashes.length);
    await developer.seeRow('Wallet', decimal(sum));
    await developer.picture(join(tale.pictures, picture));
    return {
      text: [
        `| | USDC |\n|---|---|\n| ${hashes.length} transfers of ${PRICE} on the ledger, none twice | ${decimal(sum)} |\n| the seller's balance on the ledger | ${decimal(balance)} |\n| the wallet view | ${decimal(sum)} |\n| the earnings view | ${seen.replace(' USDC', '')} |`,
        `The catalog has counted ${cataloged} settlements${cataloged === hashes.length ? '' : ' on the three, as many as there were'}.`,
      ],
      picture: [picture, `The sidebar with earnings of ${decimal(sum)} USDC`],
    };
  });
}
