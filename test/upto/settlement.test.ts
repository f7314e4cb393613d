import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Keypair, scValToNative, xdr } from '@stellar/stellar-sdk';
import { decodePaymentEnvelope } from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { type Logger, type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { UptoSale } from '../contracts/uptoSale.ts';
import { balancesOf, openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { startFaultyRpc } from '../support/faultyRpc.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { declared, identified } from '../support/namedSale.ts';
import type { TestKey } from '../support/payer.ts';
import { deploySmartAccount } from '../support/smartAccount.ts';
import { ACTUAL, CEILING, contractOf, freshUpto, type UptoParts } from './uptoPayment.ts';

interface Answer {
  readonly isValid?: boolean;
  readonly invalidReason?: string;
  readonly invalidMessage?: string;
  readonly success?: boolean;
  readonly transaction?: string;
  readonly amount?: string;
  readonly errorReason?: string | null;
  readonly errorMessage?: string;
  readonly payer?: string;
  readonly extra?: { readonly cause?: string; readonly moneyMoved?: string };
}

/** A logger that keeps its warnings. */
function keepingLogger(): Logger & { readonly warnings: [object, string][] } {
  const warnings: [object, string][] = [];
  const nothing = () => undefined;
  return {
    warnings,
    debug: nothing,
    info: nothing,
    warn: (fields, message) => warnings.push([fields, message]),
    error: nothing,
  };
}

describe('Scheme upto on the embedded network', () => {
  let local: LocalNetwork;
  let facilitator: RunningFacilitator;
  let payer: TestKey;
  let seller: TestKey;
  let sale: UptoSale;
  let caller: Keypair;
  const logger = keepingLogger();

  const open = () =>
    startFacilitator({
      ...facilitatorOptions(local),
      uptoContractId: contractOf(local),
      logger,
    });

  before(async () => {
    local = await startLocalNetwork();
    facilitator = await open();
    payer = await openPayer(local, 1_000_000_000n);
    seller = await openSeller(local);
    sale = new UptoSale(local.ledger);
    sale.contract = contractOf(local);
    caller = Keypair.fromSecret((await openAccount(local)).secret);
  });
  after(async () => {
    await facilitator.close();
    await local.close();
  });

  async function post(
    path: 'verify' | 'settle',
    request: FacilitatorRequest,
    at = facilitator,
  ): Promise<Answer> {
    const response = await fetch(`${at.url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    return (await response.json()) as Answer;
  }
  const fresh = (parts: UptoParts = {}) => freshUpto(local, payer, seller, parts);
  const usdc = async (key: TestKey) => (await balancesOf(local, key.address)).usdc;
  const withActual = (request: FacilitatorRequest, actualAmount: bigint): FacilitatorRequest => ({
    ...request,
    paymentRequirements: {
      ...request.paymentRequirements,
      extra: { ...request.paymentRequirements.extra, actualAmount: actualAmount.toString() },
    },
  });

  /** Contract, name, parties and amount of each event of a settlement. */
  async function eventsOf(hash: string | undefined): Promise<unknown[][]> {
    assert.ok(hash);
    const answer = await sale.server.getTransaction(hash);
    assert.ok('events' in answer);
    return answer.events.contractEventsXdr.flat().map(({ contractId, body }) => {
      assert.ok(contractId);
      const contract = xdr.ScVal.scvAddress(xdr.ScAddress.scAddressTypeContract(contractId));
      const [name, from, to] = body.v0.topics.map((topic) => scValToNative(topic));
      const data: unknown = scValToNative(body.v0.data);
      return [scValToNative(contract), name, from, to, Array.isArray(data) ? data[0] : data];
    });
  }

  /** The call and the payer's entry in a request. */
  function presented(request: FacilitatorRequest) {
    const decoded = decodePaymentEnvelope(request.paymentPayload.payload.transaction);
    assert.ok(decoded.ok);
    const { invocation, authorizations } = decoded.envelope;
    const [, from, to, ceiling, expiration, nonce] = invocation.args.map((a) => scValToNative(a));
    return {
      entries: [...authorizations],
      terms: {
        ...{ from, to, ceiling, nonce },
        expirationLedger: expiration as number,
      } as Parameters<UptoSale['settle']>[0],
    };
  }

  it('[spec: Supported kinds/uptoContract] [spec: Supported kinds/areFeesSponsored] [spec: Versioning/uptoContract] is a separate kind, with the settlement contract', async () => {
    const answer = await fetch(`${facilitator.url}/supported`);
    const { kinds } = (await answer.json()) as { kinds: { scheme: string; extra: object }[] };
    assert.deepEqual(
      kinds.map(({ scheme }) => scheme),
      ['exact', 'upto'],
    );
    assert.deepEqual(kinds[1]?.extra, {
      areFeesSponsored: true,
      maxTransactionFeeStroops: '500000',
      uptoContract: contractOf(local),
    });
  });

  it('[spec: Upto wire shape/UPTO_CONTRACT_ID] is served only when UPTO_CONTRACT_ID is set', async () => {
    const exactOnly = await startFacilitator(facilitatorOptions(local));
    try {
      const answer = await fetch(`${exactOnly.url}/supported`);
      const { kinds } = (await answer.json()) as { kinds: { scheme: string }[] };
      assert.deepEqual(
        kinds.map(({ scheme }) => scheme),
        ['exact'],
      );
      const refused = await post('verify', await fresh(), exactOnly);
      assert.equal(refused.invalidReason, 'unsupported_scheme');
    } finally {
      await exactOnly.close();
    }
  });

  it('[spec: Upto authorization/Settled] [spec: Upto wire shape/Response] [spec: What the service does/4] [spec: POST /verify and POST /settle/Schemes] [spec: Events/Transfer] a ceiling of 1.00, 0.37 used: the payer pays 0.37, and the transfer event says so', async () => {
    const held = [await usdc(payer), await usdc(seller)] as const;
    const request = await fresh();
    const verified = await post('verify', request);
    assert.deepEqual(verified, { isValid: true, payer: payer.address });

    const settled = await post('settle', withActual(request, ACTUAL));
    assert.equal(settled.success, true, settled.errorMessage);
    assert.equal(settled.amount, ACTUAL.toString());
    assert.equal(settled.payer, payer.address);
    assert.deepEqual(await eventsOf(settled.transaction), [
      [sale.token, 'approve', payer.address, sale.contract, CEILING],
      [sale.token, 'transfer', payer.address, seller.address, ACTUAL],
    ]);
    assert.deepEqual([await usdc(payer), await usdc(seller)], [held[0] - ACTUAL, held[1] + ACTUAL]);
  });

  it('[spec: Upto authorization/Replayed] a second submission is refused by the ledger', async () => {
    const request = await fresh();
    const { entries, terms } = presented(request);
    // Made while it was valid, so that the ledger refuses it, not the simulation.
    const second = await sale.prepare(caller, sale.settle(terms, 1n, entries));
    const settled = await post('settle', withActual(request, ACTUAL));
    assert.equal(settled.success, true, settled.errorMessage);
    const held = await usdc(payer);
    assert.equal((await sale.send(second)).answer.status, 'FAILED');
    const simulated = await sale.simulate(caller, sale.settle(terms, 1n, entries));
    assert.ok('error' in simulated && /Error\(Contract, #206\)/.test(simulated.error));
    assert.equal(await usdc(payer), held);
  });

  it('[spec: Facilitator codes/authorization_replayed] the same facilitator answers authorization_replayed', async () => {
    const request = withActual(await fresh(), ACTUAL);
    const first = await post('settle', request);
    assert.equal(first.success, true);
    const again = await post('settle', request);
    assert.equal(again.errorReason, 'invalid_exact_stellar_payload_authorization_replayed');
    assert.equal(again.transaction, first.transaction);
    const { paymentRequirements: _, ...rest } = request;
    const { accepted } = request.paymentPayload;
    const verified = await post('verify', { ...rest, paymentRequirements: accepted });
    assert.equal(verified.invalidReason, 'invalid_exact_stellar_payload_authorization_replayed');
    assert.equal(verified.extra?.moneyMoved, 'yes');
    assert.ok(
      verified.invalidMessage?.includes(String(first.transaction)),
      verified.invalidMessage,
    );
  });

  it('a request of a sale that its seller declared gets the same answer again, at /verify too', async () => {
    const named = declared(identified(await fresh(), 'an-upto-sale-01234567'));
    const request = withActual(named, ACTUAL);
    const first = await post('settle', request);
    assert.equal(first.success, true);
    const { accepted } = request.paymentPayload;
    const verified = await post('verify', { ...request, paymentRequirements: accepted });
    assert.equal(verified.isValid, true);
    const again = await post('settle', request);
    assert.deepEqual([again.success, again.transaction], [true, first.transaction]);
  });

  it('another facilitator queries the contract, and reports the settled amount', async () => {
    const request = withActual(await fresh(), ACTUAL);
    assert.equal((await post('settle', request)).success, true);
    const other = await open();
    try {
      const again = await post('settle', withActual(request, 1n), other);
      assert.equal(again.errorReason, 'invalid_upto_stellar_nonce_used');
      assert.equal(again.transaction, '');
      assert.equal(again.extra?.moneyMoved, 'yes');
      assert.match(again.errorMessage ?? '', /has settled 3700000 under this nonce/);
    } finally {
      await other.close();
    }
  });

  it('a payer that uses up the nonce first is detected', async () => {
    const request = await fresh();
    const { entries, terms } = presented(request);
    const burnt = await sale.run(caller, sale.settle(terms, 0n, entries));
    assert.equal(burnt.answer.status, 'SUCCESS');
    const settled = await post('settle', withActual(request, ACTUAL));
    assert.equal(settled.errorReason, 'invalid_upto_stellar_nonce_used');
    // It was settled at zero: that moved nothing, and nothing else can settle it.
    assert.equal(settled.extra?.moneyMoved, 'no');
    assert.match(settled.errorMessage ?? '', /has settled 0 under this nonce/);
  });

  it('a nonce that is used while the settlement is in flight makes it fail on the ledger, with the reason', async () => {
    const rpc = await startFaultyRpc(local.rpcUrl);
    const late = await startFacilitator({
      ...facilitatorOptions(local),
      rpcUrl: rpc.url,
      uptoContractId: contractOf(local),
      // A slow machine must not answer pending too early.
      confirmationMs: 80_000,
      answerWithinMs: 80_000,
    });
    try {
      // The settlement is held on its way to the network, which is the payer's moment.
      let letGo = (): void => undefined;
      const used = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const handedOver = new Promise<void>((resolve) => {
        rpc.hold((method) => {
          if (method !== 'sendTransaction') return undefined;
          resolve();
          return used;
        });
      });
      const request = await fresh();
      const { entries, terms } = presented(request);
      const answered = post('settle', withActual(request, ACTUAL), late);
      await handedOver;
      await sale.run(caller, sale.settle(terms, 1n, entries));
      letGo();
      const answer = await answered;
      assert.equal(answer.success, false);
      assert.notEqual(answer.transaction, '');
      assert.equal(answer.extra?.cause, 'transaction_failed');
      assert.equal(answer.extra?.moneyMoved, 'yes');
      assert.match(answer.errorMessage ?? '', /has settled 1 under this nonce/);
    } finally {
      await late.close();
      await rpc.close();
    }
  });

  it('zero settles, moves nothing and consumes the nonce', async () => {
    const held = await usdc(payer);
    const request = withActual(await fresh(), 0n);
    const settled = await post('settle', request);
    assert.equal(settled.success, true, settled.errorMessage);
    assert.equal(settled.amount, '0');
    assert.deepEqual(await eventsOf(settled.transaction), []);
    assert.equal(await usdc(payer), held);
    const { terms } = presented(request);
    assert.equal(scValToNative(await sale.settled(caller, terms)), 0n);
  });

  it('requires the same funds at /settle as at /verify, even for an actual amount of zero', async () => {
    const poor = await openSeller(local);
    const request = withActual(await freshUpto(local, poor, seller), 0n);
    const verified = await post('verify', await freshUpto(local, poor, seller));
    assert.equal(verified.extra?.cause, 'upto_insufficient_funds');
    const answer = await post('settle', request);
    assert.deepEqual(
      [answer.success, answer.transaction, answer.extra?.cause],
      [false, '', 'upto_insufficient_funds'],
    );
  });

  it('settles an amount in the settle request below the ceiling', async () => {
    const request = await fresh();
    const settled = await post('settle', {
      ...request,
      paymentRequirements: { ...request.paymentRequirements, amount: ACTUAL.toString() },
    });
    assert.equal(settled.success, true, settled.errorMessage);
    assert.equal(settled.amount, ACTUAL.toString());
  });

  it('[spec: Upto wire shape/Full ceiling] settles the full ceiling if no amount is stated, with a warning in the log', async () => {
    const before = logger.warnings.length;
    const settled = await post('settle', await fresh());
    assert.equal(settled.success, true, settled.errorMessage);
    assert.equal(settled.amount, CEILING.toString());
    const [warning] = logger.warnings.slice(before);
    assert.ok(warning);
    const [fields, message] = warning;
    assert.match(message, /full ceiling/);
    assert.equal('amount' in fields && fields.amount, CEILING.toString());
    assert.equal('payer' in fields && fields.payer, payer.address);
  });

  it('[spec: Upto wire shape/Concurrency] ten at once all settle: each has its own channel', async () => {
    const held = await usdc(payer);
    const requests = await Promise.all(
      Array.from({ length: 10 }, (_, i) => fresh().then((one) => withActual(one, BigInt(i + 1)))),
    );
    const settled = await Promise.all(requests.map((request) => post('settle', request)));
    assert.deepEqual(
      settled.filter(({ success }) => success !== true),
      [],
    );
    assert.deepEqual(
      settled.map(({ amount }) => amount),
      Array.from({ length: 10 }, (_, i) => `${i + 1}`),
    );
    assert.equal(await usdc(payer), held - 55n);
  });

  it('the same payment ten times at once settles once', async () => {
    const request = withActual(await fresh(), ACTUAL);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('settle', request)));
    assert.equal(answers.filter(({ success }) => success).length, 1);
  });

  it('accepts both kinds of credentials', async () => {
    for (const kind of ['address', 'addressV2'] as const) {
      const settled = await post('settle', withActual(await fresh({ kind }), ACTUAL));
      assert.equal(settled.success, true, settled.errorMessage);
    }
  });

  it('a payer that is a contract settles, though it names no policies', async () => {
    const account = await deploySmartAccount(local, payer, 'allows');
    await sale.fund(Keypair.fromSecret(payer.secret), account, CEILING);
    // A void signature does not count; the account accepts any other.
    const parts = { terms: { from: account }, signature: xdr.ScVal.scvU32(1) };
    const settled = await post('settle', withActual(await fresh(parts), ACTUAL));
    assert.equal(settled.success, true, settled.errorMessage);
    assert.equal(settled.payer, account);
  });

  describe('Each reason on the ledger has its own code', () => {
    async function refusals(parts: UptoParts, actual = ACTUAL): Promise<(string | undefined)[]> {
      const request = await fresh(parts);
      const verified = await post('verify', request);
      const settled = await post('settle', withActual(request, actual));
      assert.equal(verified.isValid, false);
      assert.equal(settled.success, false);
      assert.equal(settled.transaction, '');
      return [verified.extra?.cause, settled.extra?.cause];
    }
    const both = (code: string) => [code, code];

    it('no signature, another’s signature, an additional entry', async () => {
      assert.deepEqual(await refusals({ signer: null }), both('upto_missing_payer_signature'));
      assert.deepEqual(await refusals({ signer: seller }), both('upto_signature_invalid'));
      assert.deepEqual(await refusals({ entries: () => [] }), both('upto_no_authorization'));
      assert.deepEqual(
        await refusals({ entries: (one) => [one, one] }),
        both('upto_unexpected_authorization'),
      );
    });

    it('[spec: Limits/Upto expiration] [spec: Upto authorization/Expired] an expiration that is past or more than 17,280 ledgers ahead', async () => {
      const latest = await local.network.getLatestLedger();
      const expiring = (expirationLedger: number) => refusals({ terms: { expirationLedger } });
      assert.deepEqual(await expiring(latest), both('upto_expired'));
      assert.deepEqual(await expiring(latest + 20_000), both('upto_expiration_too_far'));
      assert.deepEqual(
        await refusals({ signatureExpiration: latest }),
        both('upto_signature_expired'),
      );
    });

    it('a payer without the money', async () => {
      const poor = await openPayer(local, ACTUAL - 1n);
      const parts = { terms: { from: poor.address }, signer: poor };
      assert.deepEqual(await refusals(parts), both('upto_insufficient_funds'));
    });

    it('a payer that has the actual amount but not the ceiling settles', async () => {
      const modest = await openPayer(local, ACTUAL);
      const parts = { terms: { from: modest.address }, signer: modest };
      const settled = await post('settle', withActual(await fresh(parts), ACTUAL));
      assert.equal(settled.success, true, settled.errorMessage);
    });

    it('a recipient without trustline', async () => {
      const bare = await openAccount(local);
      const parts = { terms: { to: bare.address }, requirements: { payTo: bare.address } };
      assert.deepEqual(
        await refusals({
          ...parts,
          requirements: { ...parts.requirements, extra: { areFeesSponsored: true } },
        }),
        both('upto_missing_trustline_recipient'),
      );
    });

    it('a smart account that refuses', async () => {
      const account = await deploySmartAccount(local, payer, 'refuses');
      await sale.fund(Keypair.fromSecret(payer.secret), account, CEILING);
      const parts = { terms: { from: account }, signature: xdr.ScVal.scvU32(1) };
      assert.deepEqual(await refusals(parts), both('upto_spending_policy_refused'));
    });

    it('[spec: Limits/Fee ceiling] a bid above the ceiling', async () => {
      const strict = await startFacilitator({
        ...facilitatorOptions(local),
        uptoContractId: contractOf(local),
        maxTxFeeStroops: 10_000n,
      });
      try {
        const verified = await post('verify', await fresh(), strict);
        assert.equal(verified.invalidReason, 'invalid_upto_stellar_fee_exceeds_maximum');
      } finally {
        await strict.close();
      }
    });
  });
});
