import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Address, Keypair, Operation, rpc, scValToNative, xdr } from '@stellar/stellar-sdk';
import { MODULE_HASHES } from '../../common/moduleHashes.ts';
import { type AtomicAmount, atomicAmount, type ContractAddress } from '../../src/protocol/index.ts';
import {
  type ChannelTerms,
  channelAddress,
  closingBytes,
  commitmentBytes,
} from '../../src/protocol/sessions/index.ts';
import { instanceKey, toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { accountSigner, createX402Fetch } from '../../src/sdk/index.ts';
import { type Ended, UptoSale } from '../contracts/uptoSale.ts';
import { lifeOf, setLife } from '../policies/support/entryLife.ts';
import { openTestSeller } from '../policies/support/seller.ts';
import { balancesOf, openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { freshNonce } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import { authorizationEntry, invocation, USDC } from '../support/payment.ts';

const DEPOSIT = 1_000_000n;
const PRICE = 10_000n;
const WAIT = 17_280;
/** Channels that one transaction claims from. */
const MANY = 20;

const addressVal = (address: string) =>
  xdr.ScVal.scvAddress(toScAddress(address as ContractAddress));
const bytesVal = (bytes: Uint8Array) => xdr.ScVal.scvBytes(bytes);

function units(value: bigint): AtomicAmount {
  const amount = atomicAmount(value);
  assert(amount !== undefined);
  return amount;
}

/** The argument `terms` of the opener. */
function termsVal(terms: ChannelTerms): xdr.ScVal {
  const fields: [string, xdr.ScVal][] = [
    ['commitment_key', bytesVal(terms.voucherKey)],
    ['from', addressVal(terms.payer)],
    ['refund_waiting_period', xdr.ScVal.scvU32(terms.waitingPeriod)],
    ['salt', bytesVal(terms.salt)],
    ['to', addressVal(terms.recipient)],
    ['token', addressVal(terms.token)],
  ];
  const entry = ([key, val]: [string, xdr.ScVal]) =>
    new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(key), val });
  return xdr.ScVal.scvMap(fields.map(entry));
}

describe('A channel on the embedded network', () => {
  let stack: LocalStack;
  let opener: ContractAddress;
  /** Runs calls, and says what they cost. Nothing of scheme `upto` is used here. */
  let chain: UptoSale;
  let payer: TestKey;
  let seller: TestKey;
  /** Pays for what anyone may call. */
  let stranger: Keypair;
  const agent = testKey('agent of a session');

  before(async () => {
    stack = await startLocalStack();
    const contract = stack.ledger.contracts['channel-opener'];
    assert(contract !== null);
    opener = contract as ContractAddress;
    chain = new UptoSale(stack.ledger);
    payer = await openPayer(stack);
    seller = await openSeller(stack);
    stranger = Keypair.fromSecret((await openAccount(stack)).secret);
  });
  after(() => stack.close());

  const newTerms = (): ChannelTerms => ({
    token: USDC,
    payer: payer.address,
    voucherKey: agent.publicKey,
    recipient: seller.address,
    waitingPeriod: WAIT,
    salt: randomBytes(32),
  });

  const call = (
    contract: string,
    name: string,
    args: xdr.ScVal[] = [],
    auth: xdr.SorobanAuthorizationEntry[] = [],
  ) => Operation.invokeContractFunction({ contract, function: name, args, auth });

  async function run(source: Keypair, operation: xdr.Operation): Promise<Ended> {
    const ended = await chain.run(source, operation);
    assert.equal(ended.answer.status, 'SUCCESS');
    return ended;
  }

  /** What a function answers. */
  async function ask(contract: string, name: string, args: xdr.ScVal[] = []): Promise<unknown> {
    const simulated = await chain.simulate(stranger, call(contract, name, args));
    assert(rpc.Api.isSimulationSuccess(simulated), 'it can be asked');
    return scValToNative(simulated.result?.retval ?? xdr.ScVal.scvVoid());
  }

  async function refusal(source: Keypair, operation: xdr.Operation): Promise<string | undefined> {
    const simulated = await chain.simulate(source, operation);
    assert(rpc.Api.isSimulationError(simulated), 'it is refused');
    return /Error\(Contract, #(\d+)\)/.exec(simulated.error)?.[1];
  }

  const openCall = (
    terms: ChannelTerms,
    amount: bigint,
    auth: xdr.SorobanAuthorizationEntry[] = [],
  ) => call(opener, 'open', [termsVal(terms), toI128(amount)], auth);

  /** An ordinary payment to an address, as an entry. */
  async function payment(to: ContractAddress, amount: bigint) {
    const { sequence } = await chain.server.getLatestLedger();
    const parts = { from: payer.address, to: toScAddress(to), amount };
    const entry = { by: payer.address, signer: payer, nonce: freshNonce() };
    return authorizationEntry({ ...entry, expirationLedger: sequence + 50 }, invocation(parts));
  }

  /** Opens a channel that holds the deposit, in one transaction. */
  async function openChannel(): Promise<{ channel: ContractAddress; ended: Ended }> {
    const terms = newTerms();
    const channel = channelAddress(opener, terms);
    const entry = await payment(channel, DEPOSIT);
    const ended = await run(stranger, openCall(terms, DEPOSIT, [entry]));
    return { channel, ended };
  }

  function voucher(channel: ContractAddress, amount: bigint): [amount: xdr.ScVal, sig: xdr.ScVal] {
    const bytes = commitmentBytes(channel)(units(amount));
    return [toI128(amount), bytesVal(agent.sign(bytes))];
  }

  const claimVal = (channel: ContractAddress, amount: bigint) =>
    xdr.ScVal.scvVec([addressVal(channel), ...voucher(channel, amount)]);
  const closing = (channel: ContractAddress) =>
    call(channel, 'close_start_signed', [bytesVal(agent.sign(closingBytes(channel)))]);

  const earned = async () => (await balancesOf(stack, seller.address)).usdc;
  const held = async () => (await balancesOf(stack, payer.address)).usdc;
  const inChannel = (channel: ContractAddress) =>
    ask(USDC, 'balance', [new Address(channel).toScVal()]);

  it('is at the address that its terms hash to, paid before it exists by an ordinary exact payment of our SDK', async (t) => {
    const terms = newTerms();
    const channel = channelAddress(opener, terms);
    assert.equal(await ask(opener, 'address', [termsVal(terms)]), channel);

    const shop = await openTestSeller(stack.facilitator.url, channel, DEPOSIT);
    const sign = (hash: Uint8Array) => payer.sign(hash);
    const signer = accountSigner(payer.address, sign);
    const fetching = createX402Fetch({ signer, rpcUrl: stack.rpcUrl });
    const response = await fetching(`${shop.url}/paid`);
    await shop.close();
    assert.equal(response.status, 200);
    assert.equal(await inChannel(channel), DEPOSIT);

    const opened = await run(stranger, openCall(terms, 0n));
    t.diagnostic(costOf('open, paid before', opened));
    assert.equal(await ask(channel, 'deposited'), DEPOSIT);
    assert.equal(await ask(channel, 'from'), payer.address);
    assert.equal(await ask(channel, 'to'), seller.address);
    assert.equal(await ask(channel, 'token'), USDC);
    assert.equal(await ask(channel, 'refund_waiting_period'), WAIT);
    assert.deepEqual(await ask(channel, 'commitment_key'), new Uint8Array(agent.publicKey));
    const prepared = await ask(channel, 'prepare_commitment', [toI128(7n)]);
    assert.deepEqual(prepared, new Uint8Array(commitmentBytes(channel)(units(7n))));

    const { entries } = await stack.network.getLedgerEntries([instanceKey(channel)]);
    const [entry] = entries;
    assert(entry?.type === 'contractData' && entry.contractData.val.type === 'scvContractInstance');
    const { executable } = entry.contractData.val.instance;
    assert(executable.type === 'contractExecutableWasm');
    const module = Buffer.from(executable.wasmHash.value).toString('hex');
    assert.equal(module, MODULE_HASHES.channel);
  });

  it('opens and is paid in one transaction by the same entry', async (t) => {
    const { channel, ended } = await openChannel();
    t.diagnostic(costOf('open and pay, one entry', ended));
    assert.equal(await inChannel(channel), DEPOSIT);
    assert.deepEqual(eventsOf(ended), ['open', 'transfer']);
  });

  it('pays its vouchers by a batch of many channels, and a bad one stops no other', async (t) => {
    const channels: ContractAddress[] = [];
    while (channels.length < MANY) channels.push((await openChannel()).channel);
    const before = await earned();
    const [first, second] = channels;
    assert(first !== undefined && second !== undefined);

    const settled = await run(stranger, call(first, 'settle', voucher(first, PRICE)));
    t.diagnostic(costOf('settle', settled));
    assert.deepEqual(eventsOf(settled), ['transfer']);
    assert.equal(await earned(), before + PRICE);

    const claims = channels.map((channel) => claimVal(channel, 3n * PRICE));
    const claimed = await run(stranger, call(opener, 'claim', [xdr.ScVal.scvVec(claims)]));
    t.diagnostic(costOf(`claim from ${MANY} channels`, claimed));
    assert.equal(returned(claimed), MANY);
    assert.deepEqual(eventsOf(claimed), Array(MANY).fill('transfer'));
    assert.equal(await earned(), before + BigInt(MANY) * 3n * PRICE);

    const forged = xdr.ScVal.scvVec([
      addressVal(first),
      toI128(9n * PRICE),
      bytesVal(seller.sign(commitmentBytes(first)(units(9n * PRICE)))),
    ]);
    const mixed = xdr.ScVal.scvVec([forged, claimVal(second, 4n * PRICE)]);
    assert.equal(returned(await run(stranger, call(opener, 'claim', [mixed]))), 1);
    assert.equal(await inChannel(first), DEPOSIT - 3n * PRICE);
    assert.equal(await inChannel(second), DEPOSIT - 4n * PRICE);
  });

  it('is closed by its recipient, and both are paid', async (t) => {
    const { channel } = await openChannel();
    const before = { earned: await earned(), held: await held() };
    const operation = call(channel, 'close', voucher(channel, 7n * PRICE));
    const recipient = Keypair.fromSecret(seller.secret);
    const closed = await run(recipient, operation);
    t.diagnostic(costOf('close', closed));
    assert.deepEqual(eventsOf(closed), ['transfer', 'close', 'transfer', 'refund']);
    assert.equal(await earned(), before.earned + 7n * PRICE);
    assert.equal(await held(), before.held + DEPOSIT - 7n * PRICE);
    assert.equal(await inChannel(channel), 0n);
    assert.equal(await ask(channel, 'withdrawn'), 7n * PRICE);
  });

  it('is left by the payer or its voucher key, and refunds what is left a waiting period later', async (t) => {
    const { channel } = await openChannel();
    const other = (await openChannel()).channel;
    const before = { earned: await earned(), held: await held() };
    const refund = call(channel, 'refund');
    assert.equal(await refusal(stranger, refund), '402');

    const started = await run(stranger, closing(channel));
    t.diagnostic(costOf('close_start_signed', started));
    t.diagnostic(
      costOf(
        'close_start',
        await run(Keypair.fromSecret(payer.secret), call(other, 'close_start')),
      ),
    );
    assert.deepEqual(eventsOf(started), ['close']);
    assert.equal(await refusal(stranger, closing(channel)), '404');
    assert.equal(await refusal(stranger, refund), '403');

    // Simulation judges by the newest ledger: one ledger before the refund is due it still refuses.
    const due = started.answer.ledger + WAIT;
    const { sequence } = await chain.server.getLatestLedger();
    await stack.ledger.control('svc_advanceLedgers', { count: due - sequence - 2 });
    await run(stranger, call(channel, 'settle', voucher(channel, 5n * PRICE)));
    assert.equal((await chain.server.getLatestLedger()).sequence, due - 1);
    assert.equal(await refusal(stranger, refund), '403');
    await stack.ledger.control('svc_advanceLedgers', { count: 1 });
    const refunded = await run(stranger, refund);
    t.diagnostic(costOf('refund', refunded));
    assert.deepEqual(eventsOf(refunded), ['transfer', 'refund']);
    assert.equal(await earned(), before.earned + 5n * PRICE);
    assert.equal(await held(), before.held + DEPOSIT - 5n * PRICE);
    assert.equal(await inChannel(channel), 0n);
    // Anyone can ask for the refund of the other one.
    await run(stranger, call(other, 'refund'));
    assert.equal(await held(), before.held + 2n * DEPOSIT - 5n * PRICE);
  });

  it('lives a week, is renewed by a claim, and loses nothing in the archive', async (t) => {
    const { channel } = await openChannel();
    const key = instanceKey(channel);
    const week = 7 * 17_280;
    const opened = await lifeOf(stack, key);
    assert(opened <= week && opened > week - 10, `${opened} ledgers`);

    await setLife(stack, key, 2 * 17_280);
    const renewed = await run(stranger, call(channel, 'settle', voucher(channel, PRICE)));
    t.diagnostic(costOf('settle that renews', renewed));
    assert((await lifeOf(stack, key)) > week - 10);

    await setLife(stack, key, -1);
    await stack.ledger.control('svc_advanceLedgers', { count: 5 });
    const before = await earned();
    const restored = await run(stranger, call(channel, 'settle', voucher(channel, 2n * PRICE)));
    t.diagnostic(costOf('settle of an archived channel', restored));
    assert.equal(await earned(), before + PRICE);
    assert.equal(await inChannel(channel), DEPOSIT - 2n * PRICE);
    assert((await lifeOf(stack, key)) > week - 10);
  });
});

function returned({ answer }: Ended): unknown {
  const value = 'returnValue' in answer ? answer.returnValue : undefined;
  return value === undefined ? undefined : scValToNative(value);
}

/** The names of the contract events. */
function eventsOf({ answer }: Ended): unknown[] {
  const events = answer.events.contractEventsXdr.flat();
  return events.map(({ body }) => body.v0.topics.map((topic) => scValToNative(topic))[0]);
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
