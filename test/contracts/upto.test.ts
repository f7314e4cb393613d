import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Address, Keypair, rpc, scValToNative, xdr } from '@stellar/stellar-sdk';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import {
  balancesOf,
  openAccount,
  openPayer,
  openSeller,
  submitSoroban,
} from '../support/accounts.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { deploySmartAccount } from '../support/smartAccount.ts';
import { type Ended, UptoSale, type UptoTerms } from './uptoSale.ts';

const CEILING = 10_000_000n;
const ACTUAL = 3_700_000n;

describe('The upto settlement contract, on the embedded network', () => {
  let local: LocalNetwork;
  let sale: UptoSale;
  let payer: TestKey;
  let seller: TestKey;
  let facilitator: Keypair;
  let other: Keypair;
  let deployment: { readonly uploaded: Ended; readonly created: Ended };

  before(async () => {
    local = await startLocalNetwork();
    sale = new UptoSale(local.ledger);
    payer = await openPayer(local);
    seller = await openSeller(local);
    facilitator = Keypair.fromSecret((await openAccount(local)).secret);
    other = Keypair.fromSecret((await openAccount(local)).secret);
    deployment = await sale.deploy(facilitator);
  });
  after(() => local.close());

  async function terms(nonce: number): Promise<UptoTerms> {
    const { sequence } = await sale.server.getLatestLedger();
    return {
      from: payer.address,
      to: seller.address,
      ceiling: CEILING,
      expirationLedger: sequence + 1_000,
      nonce: new Uint8Array(32).fill(nonce),
    };
  }

  const signed = (agreed: UptoTerms) =>
    sale.sign(facilitator, Keypair.fromSecret(payer.secret), agreed);
  const usdc = async ({ address }: TestKey) => (await balancesOf(local, address)).usdc;
  const settled = async (agreed: UptoTerms) => scValToNative(await sale.settled(other, agreed));

  async function refusal(agreed: UptoTerms, actual: bigint, auth: xdr.SorobanAuthorizationEntry[]) {
    const simulated = await sale.simulate(other, sale.settle(agreed, actual, auth));
    assert.ok(rpc.Api.isSimulationError(simulated));
    return /Error\(Contract, #(\d+)\)/.exec(simulated.error)?.[1];
  }

  it('[spec: Upto wire shape/Signed tuple] requires one signature: six terms, and one nested approve of the ceiling', async () => {
    const agreed = await terms(1);
    const { rootInvocation } = await sale.unsigned(facilitator, agreed);
    const { from, to, ceiling, expirationLedger, nonce } = agreed;
    assert.deepEqual(callOf(rootInvocation), [
      ...[sale.contract, 'settle'],
      ...[sale.token, from, to, ceiling, expirationLedger, nonce],
    ]);
    const [approve, ...others] = rootInvocation.subInvocations;
    assert.ok(approve);
    assert.deepEqual(others, []);
    assert.deepEqual(approve.subInvocations, []);
    assert.deepEqual(callOf(approve), [
      ...[sale.token, 'approve'],
      ...[from, sale.contract, ceiling, expirationLedger],
    ]);
  });

  it('[spec: Upto authorization/Settled] [spec: Upto authorization/Replayed] settles 0.37 of a ceiling of 1.00, and the ledger refuses a second time', async (t) => {
    const held = { payer: await usdc(payer), seller: await usdc(seller) };
    const agreed = await terms(2);
    const entry = await signed(agreed);
    // Both are valid when they are made, so that the ledger refuses the second, not the simulation.
    const first = await sale.prepare(facilitator, sale.settle(agreed, ACTUAL, [entry]));
    const second = await sale.prepare(other, sale.settle(agreed, ACTUAL, [entry]));

    const done = await sale.send(first);
    assert.equal(done.answer.status, 'SUCCESS');
    assert.equal(await settled(agreed), ACTUAL);
    assert.equal((await sale.send(second)).answer.status, 'FAILED');
    assert.equal(await refusal(agreed, ACTUAL, [entry]), '206');

    assert.deepEqual(
      { payer: await usdc(payer), seller: await usdc(seller) },
      { payer: held.payer - ACTUAL, seller: held.seller + ACTUAL },
    );
    t.diagnostic(costOf('settle, first of payer and contract', done));
  });

  it("[spec: Events/Transfer] emits the token's own transfer event, with the actual amount", async () => {
    const agreed = await terms(3);
    const entry = await signed(agreed);
    const done = await sale.run(facilitator, sale.settle(agreed, ACTUAL, [entry]));
    assert.deepEqual(eventsOf(done), [
      [sale.token, 'approve', payer.address, sale.contract, CEILING],
      [sale.token, 'transfer', payer.address, seller.address, ACTUAL],
    ]);
  });

  it('[spec: Upto authorization/Above the ceiling] refuses', async () => {
    const agreed = await terms(4);
    assert.equal(await refusal(agreed, CEILING + 1n, [await signed(agreed)]), '203');
    assert.equal(await settled(agreed), null);
  });

  it('[spec: Upto authorization/Expired] refuses', async () => {
    const agreed = await terms(5);
    const expired = { ...agreed, expirationLedger: agreed.expirationLedger - 1_001 };
    assert.equal(await refusal(expired, ACTUAL, []), '204');
  });

  it('zero settles, moves nothing and spends the nonce', async () => {
    const held = await usdc(payer);
    const agreed = await terms(6);
    const entry = await signed(agreed);
    const done = await sale.run(facilitator, sale.settle(agreed, 0n, [entry]));
    assert.equal(done.answer.status, 'SUCCESS');
    assert.deepEqual(eventsOf(done), []);
    assert.equal(await settled(agreed), 0n);
    assert.equal(await usdc(payer), held);
    assert.equal(await refusal(agreed, ACTUAL, [entry]), '206');
  });

  it('a payer that is a contract and has no policies() settles', async (t) => {
    const account = await deploySmartAccount(local, payer, 'allows');
    const funding = new xdr.InvokeContractArgs({
      contractAddress: new Address(sale.token).toScAddress(),
      functionName: 'transfer',
      args: [
        xdr.ScVal.scvAddress(toScAddress(payer.address)),
        xdr.ScVal.scvAddress(toScAddress(account)),
        toI128(CEILING),
      ],
    });
    const fund = xdr.HostFunction.hostFunctionTypeInvokeContract(funding);
    await submitSoroban(local, payer, fund);
    const agreed = { ...(await terms(7)), from: account };
    const entry = await sale.sign(facilitator, xdr.ScVal.scvVoid(), agreed);
    const done = await sale.run(facilitator, sale.settle(agreed, ACTUAL, [entry]));
    assert.equal(done.answer.status, 'SUCCESS');
    assert.equal(await settled(agreed), ACTUAL);
    t.diagnostic(costOf('settle, the payer a contract', done));
  });

  it('[spec: Limits/Fee ceiling] is settled for a fraction of the fee ceiling', async (t) => {
    const agreed = await terms(8);
    const entry = await signed(agreed);
    const done = await sale.run(facilitator, sale.settle(agreed, ACTUAL, [entry]));
    t.diagnostic(costOf('upload', deployment.uploaded));
    t.diagnostic(costOf('deploy', deployment.created));
    t.diagnostic(costOf('settle, later ones', done));
    assert.ok(done.resources.instructions < 2_000_000);
    assert.ok(done.resourceFee < 125_000n);
  });
});

/** Contract, function and arguments of a call that is to be authorized. */
function callOf({ function: called }: xdr.SorobanAuthorizedInvocation): unknown[] {
  assert.equal(called.type, 'sorobanAuthorizedFunctionTypeContractFn');
  const { contractAddress, functionName, args } = called.contractFn;
  return [
    scValToNative(xdr.ScVal.scvAddress(contractAddress)),
    functionName.toString(),
    ...args.map((arg) => scValToNative(arg)),
  ];
}

/** The contract events: contract, name, the two parties, and the amount. */
function eventsOf({ answer }: Ended): unknown[][] {
  return answer.events.contractEventsXdr.flat().map(({ contractId, body }) => {
    assert.ok(contractId);
    const contract = xdr.ScAddress.scAddressTypeContract(contractId);
    const [name, from, to] = body.v0.topics.map((topic) => scValToNative(topic));
    const data: unknown = scValToNative(body.v0.data);
    return [
      scValToNative(xdr.ScVal.scvAddress(contract)),
      ...[name, from, to, Array.isArray(data) ? data[0] : data],
    ];
  });
}

function costOf(name: string, { answer, resources, resourceFee }: Ended): string {
  const { footprint, instructions, writeBytes } = resources;
  const meta = answer.resultMetaXdr;
  const charged = meta.type === 'v4' ? meta.v4.sorobanMeta?.ext : undefined;
  const rent = charged?.type === 'v1' ? charged.v1.rentFeeCharged : undefined;
  return [
    `${name}: ${instructions} instructions and ${resourceFee} stroops declared`,
    `${answer.resultXdr.feeCharged} charged, ${rent} of it rent`,
    `${footprint.readOnly.length} entries read, ${footprint.readWrite.length} written`,
    `${writeBytes} bytes written`,
  ].join('; ');
}
