import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Account,
  Asset,
  Keypair,
  Operation,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import type { LedgerOptions } from '../ledgerOptions.ts';
import { type OpenNetwork, openNetwork } from '../openNetwork.ts';
import { accountKeyId, ledgerKeyOf } from '../state/index.ts';
import type { Amend } from './amendment.ts';
import { LEDGER_TARGET_MILLISECONDS, type LedgerClock } from './ledgerClock.ts';
import { LedgerServiceError } from './ledgerServiceError.ts';

const CONTRACT_DATA = 6;
const BEGUN = 1_700_000_000_000;

/** Time passes when a test says so. */
class HandClock implements LedgerClock {
  time = BEGUN;
  #due: { readonly at: number; readonly act: () => void }[] = [];

  now(): number {
    return this.time;
  }
  after(milliseconds: number, act: () => void): () => void {
    const due = { at: this.time + milliseconds, act };
    this.#due.push(due);
    return () => {
      this.#due = this.#due.filter((one) => one !== due);
    };
  }
  soon(act: () => void): () => void {
    return this.after(0, act);
  }
  /** Does what is due within so many milliseconds, in its order. */
  pass(milliseconds: number): void {
    const until = this.time + milliseconds;
    for (;;) {
      const [next] = this.#due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#due = this.#due.filter((one) => one !== next);
      this.time = Math.max(this.time, next.at);
      next.act();
    }
    this.time = until;
  }
}

/** A network whose friendbot pays by hand. */
class Scene {
  readonly clock: HandClock;
  readonly network: OpenNetwork;
  readonly faults: Error[];
  readonly #payer: Keypair;
  #sequence: bigint;

  private constructor(clock: HandClock, network: OpenNetwork, faults: Error[]) {
    this.clock = clock;
    this.network = network;
    this.faults = faults;
    this.#payer = Keypair.fromSecret(network.keys.friendbot.secret);
    const id = accountKeyId(xdr.PublicKey.publicKeyTypeEd25519(this.#payer.rawPublicKey()));
    const entry = network.service.engine.state.peek(id);
    this.#sequence = entry?.data.type === 'account' ? entry.data.account.seqNum : 0n;
  }

  static async open(options: LedgerOptions = {}): Promise<Scene> {
    const clock = new HandClock();
    const faults: Error[] = [];
    const onFault = (fault: Error): void => {
      faults.push(fault);
    };
    const close = { kind: 'manual' } as const;
    const network = await openNetwork({ close, seed: 'service', clock, onFault, ...options });
    return new Scene(clock, network, faults);
  }

  get service(): OpenNetwork['service'] {
    return this.network.service;
  }

  /** A payment of one stroop by friendbot. */
  payment(bounds?: Parameters<TransactionBuilder['setLedgerbounds']>): Transaction {
    const builder = this.#builder(300);
    if (bounds !== undefined) builder.setLedgerbounds(...bounds);
    return this.#signed(builder);
  }

  /** A payment that is valid up to a second of the network's time. */
  paymentUntil(maxTime: number): Transaction {
    const builder = this.#builder();
    builder.setTimebounds(0, maxTime);
    return this.#signed(builder);
  }

  #builder(seconds?: number): TransactionBuilder {
    const source = new Account(this.#payer.publicKey(), this.#sequence.toString());
    const builder = new TransactionBuilder(source, {
      ...{ fee: '100', networkPassphrase: this.network.passphrase },
    }).addOperation(
      Operation.payment({
        ...{ destination: this.#payer.publicKey(), asset: Asset.native(), amount: '0.0000001' },
      }),
    );
    if (seconds !== undefined) builder.setTimebounds(0, BEGUN / 1_000 + seconds);
    return builder;
  }

  #signed(builder: TransactionBuilder): Transaction {
    const transaction = builder.build();
    transaction.sign(this.#payer);
    return transaction;
  }

  /** Sends it; counts on its sequence number being used. */
  submit(transaction: Transaction) {
    const sent = this.service.submit(
      xdr.TransactionEnvelope.fromXdr(transaction.toXdr(), 'base64'),
    );
    if (sent.submission.status === 'PENDING') this.#sequence += 1n;
    return sent;
  }

  get sequence(): number {
    return this.service.history.latestSequence;
  }

  get closeTime(): number {
    return Number(this.service.engine.state.header.scpValue.closeTime);
  }
}

const isCalled = (code: string) => (error: unknown) =>
  error instanceof LedgerServiceError && error.code === code;

describe('A transaction that was accepted', () => {
  it('is in the ledger that closes next, and its caller gets it', async () => {
    const scene = await Scene.open();
    const { hash, submission } = scene.submit(scene.payment());
    assert.equal(submission.status, 'PENDING');
    const waited = scene.service.closed(hash);
    const { sequence } = scene;
    scene.service.closeLedger([]);
    assert.equal(scene.service.history.transaction(hash), undefined);
    scene.service.closeLedger([hash]);
    assert.equal((await waited).ledger.sequence, sequence + 2);
    assert.equal((await scene.service.closed(hash)).ledger.sequence, sequence + 2);
    scene.network.close();
  });

  it('may be dropped by hand: its caller is refused', async () => {
    const scene = await Scene.open();
    const { hash } = scene.submit(scene.payment());
    const waited = assert.rejects(scene.service.closed(hash), isCalled('DROPPED'));
    assert.equal(scene.service.dropWaiting('00'), 0);
    assert.equal(scene.service.dropWaiting(hash), 1);
    assert.equal(scene.service.dropWaiting(), 0);
    await waited;
    scene.service.closeLedger();
    assert.equal(scene.service.history.transaction(hash), undefined);
    scene.network.close();
  });

  it('stays in the queue of a network that stops: its caller is refused', async () => {
    const scene = await Scene.open();
    const { hash } = scene.submit(scene.payment());
    const waited = assert.rejects(scene.service.closed(hash), isCalled('STOPPED'));
    scene.network.close();
    await waited;
    for (const act of [
      () => scene.service.closeLedger(),
      () => scene.submit(scene.payment()),
      () => scene.service.dropWaiting(),
    ]) {
      assert.throws(act, isCalled('STOPPED'));
    }
  });

  it('may name the next ledger as its first, and not a later one', async () => {
    const scene = await Scene.open();
    const next = scene.sequence + 1;
    assert.equal(scene.submit(scene.payment([next + 1, 0])).submission.status, 'ERROR');
    assert.equal(scene.submit(scene.payment([next, 0])).submission.status, 'PENDING');
    scene.network.close();
  });
});

describe('Ledgers close', () => {
  it('on demand, as soon as a transaction waits', async () => {
    const scene = await Scene.open({ close: { kind: 'demand' } });
    const { hash } = scene.submit(scene.payment());
    scene.clock.pass(1);
    assert.notEqual(scene.service.history.transaction(hash), undefined);
    assert.equal(scene.service.ledgerMilliseconds, LEDGER_TARGET_MILLISECONDS);
    scene.network.close();
  });

  it('in an interval', async () => {
    const scene = await Scene.open({ close: { kind: 'interval', milliseconds: 2_000 } });
    const { sequence } = scene;
    scene.clock.pass(1_999);
    assert.equal(scene.sequence, sequence);
    scene.clock.pass(4_001);
    assert.equal(scene.sequence, sequence + 3);
    assert.equal(scene.service.ledgerMilliseconds, 2_000);
    scene.network.close();
  });

  it('by hand, and at once if the mode changes while a transaction waits', async () => {
    const scene = await Scene.open();
    const { hash } = scene.submit(scene.payment());
    scene.clock.pass(60_000);
    assert.equal(scene.service.history.transaction(hash), undefined);
    scene.service.closeMode = { kind: 'demand' };
    scene.clock.pass(1);
    assert.notEqual(scene.service.history.transaction(hash), undefined);
    assert.deepEqual(scene.service.closeMode, { kind: 'demand' });
    const { sequence } = scene;
    scene.service.closeMode = { kind: 'manual' };
    scene.clock.pass(60_000);
    assert.equal(scene.sequence, sequence);
    scene.network.close();
  });
});

describe('The network’s time', () => {
  it('is the clock’s, in whole seconds, and may be moved forward', async () => {
    const scene = await Scene.open();
    scene.clock.pass(1_500);
    scene.service.closeLedger();
    assert.equal(scene.closeTime, BEGUN / 1_000 + 1);
    scene.service.advanceTime(100);
    assert.equal(scene.service.now(), BEGUN + 101_500);
    scene.service.closeLedger();
    assert.equal(scene.closeTime, BEGUN / 1_000 + 101);
    scene.network.close();
  });

  it('never goes back, whatever the clock does', async () => {
    const scene = await Scene.open();
    scene.clock.pass(10_000);
    scene.service.closeLedger();
    const { closeTime } = scene;
    scene.clock.time = BEGUN - 60_000;
    scene.service.closeLedger();
    assert.equal(scene.closeTime, closeTime);
    scene.network.close();
  });

  it('limits a transaction: two intervals ahead, if ledgers close by the clock', async () => {
    for (const [kind, ahead, status] of [
      ['interval', 3, 'ERROR'],
      ['interval', 4, 'PENDING'],
      ['manual', 0, 'PENDING'],
    ] as const) {
      const close = kind === 'interval' ? ({ kind, milliseconds: 2_000 } as const) : { kind };
      const scene = await Scene.open({ close });
      const sent = scene.submit(scene.paymentUntil(BEGUN / 1_000 + ahead));
      assert.equal(sent.submission.status, status, `${kind}, ${ahead} s ahead`);
      scene.network.close();
    }
  });

  it('may be left out of time bounds, which the clock then decides', async () => {
    const scene = await Scene.open();
    scene.service.advanceTime(1_000);
    const until = scene.paymentUntil(BEGUN / 1_000 + 100);
    assert.equal(scene.submit(until).submission.status, 'ERROR');
    scene.service.timeBounds = 'clock';
    assert.equal(scene.submit(until).submission.status, 'PENDING');
    scene.network.close();
    const other = await Scene.open({ timeBounds: 'clock' });
    other.service.advanceTime(1_000);
    assert.equal(
      other.submit(other.paymentUntil(BEGUN / 1_000 + 100)).submission.status,
      'PENDING',
    );
    other.network.close();
  });
});

describe('A ledger that cannot be stored', () => {
  const fullDisk = new Error('the disk is full');

  /** Makes the network's disk full, and returns a function that frees it. */
  function fill(scene: Scene): () => void {
    const { history } = scene.service;
    const add = history.add.bind(history);
    const beginAt = history.beginAt.bind(history);
    history.add = history.beginAt = () => {
      throw fullDisk;
    };
    return () => {
      history.add = add;
      history.beginAt = beginAt;
    };
  }

  it('leaves the network at the ledger before, which it reports until one is stored', async () => {
    const scene = await Scene.open({ close: { kind: 'interval', milliseconds: 1_000 } });
    const { sequence, service } = scene;
    const { state } = service.engine;
    const before = { header: state.header, hash: state.stateHash() };
    const free = fill(scene);
    const { hash } = scene.submit(scene.payment());
    const waited = assert.rejects(service.closed(hash), isCalled('DROPPED'));
    scene.clock.pass(5_000);
    await waited;
    assert.equal(scene.sequence, sequence);
    assert.equal(state.header, before.header);
    assert.deepEqual(state.stateHash(), before.hash);
    assert.equal(service.sound, true);
    assert.match(
      String(service.fault?.message),
      new RegExp(`^Ledger ${sequence + 1} could not be stored .* stays at ledger ${sequence} `),
    );
    // It tried five times, and reports the fault once.
    assert.deepEqual(scene.faults, [service.fault]);
    assert.equal(scene.faults[0]?.cause, fullDisk);
    assert.throws(() => service.closeLedger(), isCalled('NOT_STORED'));
    free();
    scene.clock.pass(1_000);
    assert.equal(scene.sequence, sequence + 1);
    assert.equal(service.fault, undefined);
    scene.network.close();
  });

  it('leaves offers, contracts and the archive unchanged', async () => {
    const scene = await Scene.open();
    const { engine } = scene.service;
    scene.service.closeLedger();
    const image = () => ({
      header: engine.state.header,
      entries: new Map([...engine.state.entries()].map(({ id, xdr }) => [id, xdr])),
      archived: new Map(engine.state.archivedEntries()),
      offers: engine.state.allOffers(),
    });
    const size = engine.stateSize(engine.state);
    const before = image();
    const free = fill(scene);
    const [expired] = [...engine.state.ids()].filter((id) => id.charCodeAt(3) === CONTRACT_DATA);
    assert.ok(expired);
    const change: Amend = (ltx) => {
      const entry = ltx.peek(expired);
      assert.ok(entry);
      return { restored: new Map(), evicted: [ledgerKeyOf(expired)] };
    };
    assert.throws(() => scene.service.amendLedger(change), isCalled('NOT_STORED'));
    assert.throws(() => scene.service.closeNextOf(20_000), isCalled('NOT_STORED'));
    assert.deepEqual(image(), before);
    assert.equal(engine.stateSize(engine.state), size);
    free();
    scene.service.amendLedger(change);
    assert.notEqual(engine.state.archived(expired), undefined);
    scene.network.close();
  });

  it('of which only older ones could not be removed, is closed', async () => {
    const scene = await Scene.open();
    const { history } = scene.service;
    const add = history.add.bind(history);
    history.add = (ledger) => {
      add(ledger);
      throw fullDisk;
    };
    const { sequence } = scene;
    assert.equal(scene.service.closeLedger().sequence, sequence + 1);
    assert.deepEqual(scene.faults, [fullDisk]);
    assert.equal(scene.service.fault, undefined);
    scene.network.close();
  });

  it('a listener that fails leaves the ledger closed and the other listeners informed', async () => {
    const scene = await Scene.open();
    const seen: number[] = [];
    scene.service.onClose(() => {
      throw fullDisk;
    });
    scene.service.onClose(({ sequence }) => seen.push(sequence));
    const { sequence } = scene.service.closeLedger();
    assert.deepEqual(seen, [sequence]);
    assert.deepEqual(scene.faults, [fullDisk]);
    scene.network.close();
  });

  it('a network that was closed is sound', async () => {
    const scene = await Scene.open();
    scene.network.close();
    assert.equal(scene.service.sound, true);
  });
});

describe('An upgrade of the protocol', () => {
  it('needs a later one', async () => {
    const scene = await Scene.open({ protocol: 27 });
    const { host } = scene.service.engine;
    assert.throws(() => scene.service.upgradeProtocol(host), isCalled('NOT_AN_UPGRADE'));
    assert.equal(scene.service.engine.state.header.ledgerVersion, 27);
    scene.network.close();
  });
});
