import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { carriedBy } from '../../src/protocol/fate/index.ts';
import type { StellarAddress } from '../../src/protocol/index.ts';
import { contractAddressOf } from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { CONFIG_DEFAULTS } from '../../src/server/config.ts';
import { testKey } from '../support/payer.ts';
import { accountSignature, type EntryParts, PAYER, STRANGER } from '../support/payment.ts';
import { ModelScene } from './modelScene.ts';
import { rejectionOf } from './outcomes.ts';

/** A wallet that is a contract: only its `__check_auth` on the ledger can judge a signature. */
const WALLET = contractAddressOf(Buffer.alloc(32, 3));
const ANY_BYTES = xdr.ScVal.scvBytes(new Uint8Array(4));

/** Sixty-four bytes that nobody signed, beside the public key of the payer. */
const FORGED: EntryParts = {
  signature: accountSignature({ ...PAYER, sign: () => Buffer.alloc(64, 7) }, new Uint8Array(32)),
};

/** A payment that names a payer, with bytes in the place of a wallet's signature. */
function naming(scene: ModelScene, payer: StellarAddress): FacilitatorRequest {
  return scene.payment({ from: payer, entry: { by: payer, signature: ANY_BYTES } });
}

function nonceIn(envelope: unknown): bigint | undefined {
  return carriedBy(String(envelope))[0]?.nonce;
}

const nonceOf = ({ paymentPayload }: FacilitatorRequest) =>
  nonceIn(paymentPayload.payload.transaction);

/** A caller that waits for its answer. */
const caller = (client: string) => ({ client, delivered: new Promise<boolean>(() => {}) });

/** From now on a simulation takes so long, and fails for every authorization but these. */
function simulateSlowly(
  scene: ModelScene,
  milliseconds: number,
  isValid: (nonce: bigint | undefined) => boolean,
) {
  const { simulate } = scene.network;
  const seen = { begun: 0, running: 0, most: 0 };
  scene.network.simulate = async (envelope) => {
    seen.begun += 1;
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await new Promise<void>((resolve) => scene.world.after(milliseconds, resolve));
    seen.running -= 1;
    if (isValid(nonceIn(envelope))) return simulate(envelope);
    const latestLedger = scene.ledger.ledger;
    return { status: 'failure', latestLedger, error: 'HostError: Error(WasmVm, InvalidAction)' };
  };
  return seen;
}

const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
const allSettled = (count: number) => many(count, () => 'settled');

describe('A stranger who names somebody else as the payer', () => {
  it('is refused at once if the signature does not verify: nothing is simulated, recorded or reserved', async () => {
    const scene = await ModelScene.open();
    const seen = simulateSlowly(scene, 1, () => true);
    let claims = 0;
    scene.onStatement = (sql) => {
      if (sql.startsWith('INSERT INTO settlements')) claims += 1;
      return undefined;
    };
    const request = scene.payment({ entry: FORGED });
    const refused = rejectionOf(await scene.until(scene.settle(request)));
    assert.deepEqual([refused?.code, refused?.payer], ['signature_invalid', PAYER.address]);
    assert.equal(refused?.known?.moneyMoved, 'no');
    const verdict = await scene.until(scene.facilitator.verify(request));
    assert.equal(rejectionOf(verdict)?.code, 'signature_invalid');
    assert.deepEqual([seen.begun, claims], [0, 0]);
  });

  it('does not delay the payer: 4 honest payments settle beside 60 forged ones', async () => {
    const scene = await ModelScene.open();
    const honest = many(4, () => scene.payment());
    const valid = new Set(honest.map(nonceOf));
    simulateSlowly(scene, 250, (nonce) => valid.has(nonce));
    const forged = many(60, () => scene.settle(scene.payment({ entry: FORGED })));
    const settling = honest.map((request) => scene.settle(request));
    const outcomes = await scene.closing(Promise.all(settling));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      allSettled(4),
    );
    for (const outcome of await scene.until(Promise.all(forged))) {
      assert.equal(rejectionOf(outcome)?.code, 'signature_invalid');
    }
  });

  it('does not delay a wallet that is a contract, whose signatures only the ledger can judge', async () => {
    const scene = await ModelScene.open();
    const honest = many(4, () => naming(scene, WALLET));
    const valid = new Set(honest.map(nonceOf));
    simulateSlowly(scene, 250, (nonce) => valid.has(nonce));
    const forged = many(60, () => scene.settle(naming(scene, WALLET), caller('stranger')));
    await scene.pass(50);
    const settling = honest.map((request) => scene.settle(request, caller('seller')));
    const outcomes = await scene.closing(Promise.all(settling));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      allSettled(4),
    );
    const refused = await scene.closing(Promise.all(forged));
    assert.deepEqual([...new Set(refused.map(({ status }) => status))], ['rejected']);
  });

  it('waits in a line of its own for the ledger’s judgement, however many payers it names', async () => {
    const scene = await ModelScene.open();
    const seen = simulateSlowly(scene, 250, () => false);
    const wallets = many(60, () => 0).map((_, i) => contractAddressOf(Buffer.alloc(32, 100 + i)));
    const forged = wallets.map((wallet) => scene.settle(naming(scene, wallet), caller('stranger')));
    await scene.until(Promise.all(forged));
    assert.deepEqual([seen.begun, seen.most], [60, 8]);
  });

  it('takes no record from the payment whose nonce it copied', async () => {
    const scene = await ModelScene.open();
    const honest = naming(scene, WALLET);
    const nonce = nonceOf(honest) ?? 0n;
    const copied = scene.payment({
      from: WALLET,
      entry: { by: WALLET, nonce, signature: xdr.ScVal.scvBytes(new Uint8Array(5)) },
    });
    const { transaction } = honest.paymentPayload.payload;
    const { simulate } = scene.network;
    scene.network.simulate = async (envelope) => {
      const isForged = carriedBy(envelope)[0]?.entry.credentials;
      const isHonest = carriedBy(String(transaction))[0]?.entry.credentials;
      if (isForged !== undefined && isHonest?.equals(isForged)) return simulate(envelope);
      await new Promise<void>((resolve) => scene.world.after(3_000, resolve));
      const latestLedger = scene.ledger.ledger;
      return { status: 'failure', latestLedger, error: 'HostError: Error(WasmVm, InvalidAction)' };
    };
    const forging = scene.settle(copied, caller('stranger'));
    await scene.pass(50);
    assert.equal((await scene.settled(honest, caller('seller'))).status, 'settled');
    assert.equal((await scene.closing(forging)).status, 'rejected');
  });

  it('reserves nothing with authorizations that the payer signed and used long ago', async () => {
    const scene = await ModelScene.open({ config: { channelWaitMs: 2_000 } });
    const old = many(8, () => scene.payment());
    const used = new Set(old.map(nonceOf));
    simulateSlowly(scene, 5_000, (nonce) => !used.has(nonce));
    const replaying = old.map((request) => scene.settle(request, caller('stranger')));
    await scene.pass(50);
    const outcome = await scene.settled(scene.payment(), caller('seller'));
    assert.equal(outcome.status, 'settled');
    await scene.closing(Promise.all(replaying));
  });
});

describe('A stranger with a key, but without money,', () => {
  const config = {
    spendControls: { ...CONFIG_DEFAULTS.spendControls, enforced: true, payToPerMinute: 3 },
  };

  it('does not use up a recipient’s limit: what the ledger refuses is not counted', async () => {
    const scene = await ModelScene.open({ config });
    const strangers = many(30, () => 0).map((_, i) =>
      scene.payment({ payer: testKey(`stranger ${i}`) }),
    );
    const poor = new Set(strangers.map(nonceOf));
    const { simulate } = scene.network;
    const seen = simulateSlowly(scene, 10, (nonce) => !poor.has(nonce));
    for (const request of strangers) {
      assert.equal(
        rejectionOf(await scene.until(scene.settle(request)))?.code,
        'simulation_failed',
      );
    }
    assert.equal(seen.begun, 30);
    scene.network.simulate = simulate;
    const outcomes = await scene.closing(Promise.all(many(3, () => scene.settle(scene.payment()))));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      allSettled(3),
    );
  });

  it('holds no channel while the ledger judges its payments', async () => {
    const scene = await ModelScene.open({ config: { channelWaitMs: 2_000 } });
    const strangers = many(60, () => 0).map((_, i) =>
      scene.payment({ payer: testKey(`stranger ${i}`) }),
    );
    const poor = new Set(strangers.map(nonceOf));
    simulateSlowly(scene, 5_000, (nonce) => !poor.has(nonce));
    const refusing = strangers.map((request) => scene.settle(request));
    await scene.pass(1_000);
    assert.equal(scene.facilitator.health().channels.free, 50);
    assert.equal(scene.facilitator.health().sponsor.reserved, '0');
    await scene.until(Promise.all(refusing));
  });
});

describe('A payment signed by a key that is not the payer’s own', () => {
  it('is simulated, since the ledger knows the account’s other signers', async () => {
    const scene = await ModelScene.open();
    const outcome = await scene.settled(scene.payment({ entry: { signer: STRANGER } }));
    assert.equal(outcome.status, 'settled');
  });
});
