// The service with a network of its own, in a process of its own; its first message says where it is. Started by buyers.ts.

import { buyUsdc, openAccount, submit, trustUsdc } from '../support/accounts.ts';
import { startLocalStack } from '../support/localStack.ts';
import { BUYERS, SELLER } from './honest.ts';
import type { TargetParts } from './target.ts';

const MONEY = 100_000_000n;

async function serve(): Promise<void> {
  const tokens = {
    operatorToken: 'operator of the service',
    passkeyToken: 'passkeys of the service',
  };
  const stack = await startLocalStack({ loopbackNamesOnly: true, ...tokens });
  const seller = await openAccount(stack, SELLER);
  await submit(stack, seller, [trustUsdc(stack)]);
  for (const name of BUYERS) {
    const buyer = await openAccount(stack, name);
    await submit(stack, buyer, [trustUsdc(stack), buyUsdc(stack, buyer, MONEY)]);
  }
  // Ends when the process that started it is gone.
  process.once('disconnect', () => process.exit(0));
  process.once('SIGTERM', () => void stack.close().then(() => process.exit(0)));
  const started: TargetParts = {
    facilitator: stack.facilitator.url,
    ledger: stack.ledger.urls?.http ?? '',
    secrets: [],
    ...tokens,
  };
  process.send?.(started);
}

await serve();
