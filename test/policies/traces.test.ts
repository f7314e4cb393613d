import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Keypair, rpc, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import type { TransactionTrace } from '../../network/src/index.ts';
import type { ContractAddress } from '../../src/protocol/index.ts';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain } from './support/chain.ts';

/** Atomic units of one USDC. */
const ONE = 10_000_000n;
const DAY = 86_400n;

function operationOf({ paymentPayload }: FacilitatorRequest): xdr.Operation {
  const text = String(paymentPayload.payload['transaction']);
  const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
  const [operation] = envelope.type === 'envelopeTypeTx' ? envelope.v1.tx.operations : [];
  assert.ok(operation);
  return operation;
}

describe('a payment under a policy, traced', () => {
  let stack: LocalStack;
  let funder: TestKey;
  let chain: Chain;
  let wallet: AgentWallet;
  let limit: ContractAddress;
  let seller: TestKey;
  let paid: string;
  let refused: string;

  before(async () => {
    stack = await startLocalStack();
    funder = await openPayer(stack, 100n * ONE);
    seller = await openSeller(stack);
    chain = new Chain(stack, funder);
    wallet = await AgentWallet.open(chain, 'traced');
    const address = (value: ContractAddress | TestKey['address']) =>
      xdr.ScVal.scvAddress(toScAddress(value));
    await chain.call(USDC, 'transfer', [
      address(funder.address),
      address(wallet.id),
      toI128(10n * ONE),
    ]);
    limit = await wallet.limit(undefined, ONE, DAY);
    await wallet.attach(limit);
    await wallet.grant([USDC], [limit]);
    ({ paid, refused } = await refusedPayment());
  });
  after(() => stack.close());

  async function build(operation: xdr.Operation) {
    const account = await chain.server.getAccount(funder.address);
    return new TransactionBuilder(account, {
      fee: '100',
      networkPassphrase: stack.ledger.passphrase,
    })
      .addOperation(operation)
      .setTimeout(0)
      .build();
  }

  async function settle(payment: FacilitatorRequest): Promise<string> {
    const response = await fetch(`${stack.facilitator.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payment),
    });
    const answer = (await response.json()) as { success: boolean; transaction: string };
    assert.equal(answer.success, true, JSON.stringify(answer));
    return answer.transaction;
  }

  const traceOf = (hash: string) => stack.ledger.control('svc_traceTransaction', { hash });

  /** A payment that simulation allowed, and that the ledger refuses because another one came first. */
  async function refusedPayment(): Promise<{ paid: string; refused: string }> {
    const first = await wallet.exactPayment(seller.address, (ONE * 7n) / 10n);
    const second = operationOf(await wallet.exactPayment(seller.address, (ONE * 6n) / 10n));
    const raw = await build(second);
    const simulated = await chain.server.simulateTransaction(raw, undefined, undefined, false);
    assert.ok(rpc.Api.isSimulationSuccess(simulated));
    const settled = await settle(first);
    const transaction = rpc.assembleTransaction(await build(second), simulated).build();
    transaction.sign(Keypair.fromSecret(funder.secret));
    const { hash } = await chain.server.sendTransaction(transaction);
    const ended = await chain.server.pollTransaction(hash, {
      attempts: 200,
      sleepStrategy: () => 20,
    });
    assert.equal(ended.status, 'FAILED');
    return { paid: settled, refused: hash };
  }

  it('shows who authorized it, who sent it, which policy was called and its answer', async () => {
    const good = await traceOf(paid);
    assert.match(good.story.join('\n'), /^The buyer C\w+ authorized 0\.7 USDC, valid until ledger/);
    assert.match(
      good.story.join('\n'),
      /^The channel account \d+ G\w+ sent the transaction; the facilitator's sponsor G\w+ paid/m,
    );
    assert.match(
      good.story.join('\n'),
      /paid for it with a fee bump and was charged \d+ of \d+ stroops\./,
    );
    assert.match(good.story.join('\n'), /The policy spending limit C\w+ approved the payment\./);
    assert.match(good.story.join('\n'), /0\.7 USDC moved from C\w+ to G\w+\./);

    const bad = await traceOf(refused);
    assert.equal(bad.successful, false);
    assert.equal(bad.failure?.contract?.name, 'spending limit');
    assert.equal(bad.failure?.contract?.id, limit);
    assert.equal(bad.failure?.function, 'policy__');
    assert.equal(bad.failure?.code, 'Error(Contract, #1)');
    assert.ok(bad.failure?.name, 'the contract names its error');
    assert.match(bad.story.join('\n'), /The policy spending limit C\w+ refused the payment: \w+,/);
    assert.match(bad.story.join('\n'), /No money moved\.$/);
    assert.match(bad.text, /USDC \S+\.transfer\(from: \S+, to: \S+, amount: 0\.6 USDC\)/);
    assert.match(bad.text, /smart account \S+\.__check_auth\(/);
    assert.match(bad.text, /spending limit \S+\.policy__\(/);

    const [transfer] = bad.steps;
    assert.ok(transfer?.kind === 'call');
    assert.deepEqual(transfer.authorizedBy, [wallet.id]);
  });

  it('and the network’s page reads the same tree, which control does not give to web pages', async () => {
    const page = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
    const url = stack.ledger.urls?.http ?? '';
    const response = await fetch(`${url}/tx/${refused}/trace`, { headers: page });
    assert.equal(response.status, 200);
    assert.deepEqual((await response.json()) as TransactionTrace, await traceOf(refused));
    for (const hash of ['ab'.repeat(32), 'ab', '%00']) {
      const missing = await fetch(`${url}/tx/${hash}/trace`, { headers: page });
      assert.equal(missing.status, 404, hash);
      assert.deepEqual(await missing.json(), {
        error: 'No stored ledger has this transaction.',
      });
    }
  });
});
