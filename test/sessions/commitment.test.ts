import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { z } from 'zod';
import { toScAddress } from '../../common/scAddress.ts';
import {
  atomicAmount,
  type ContractAddress,
  decodeStrKey,
  encodeStrKey,
  parseAtomicAmount,
  TESTNET_PASSPHRASE,
} from '../../src/protocol/index.ts';
import {
  closingBytes,
  commitmentBytes,
  readVoucherKey,
} from '../../src/protocol/sessions/index.ts';
import { projectRoot } from '../docs/pages/projectFile.ts';

const FOLDER = join(projectRoot, 'test/mpp/vectors');

const recording = z.object({
  keys: z.looseObject({ commitmentKey: z.looseObject({ publicKey: z.string() }) }),
  exchanges: z.array(
    z.object({
      decoded: z.object({
        credential: z.optional(
          z.object({
            payload: z.object({ amount: z.string(), signature: z.string() }),
          }),
        ),
        credentialChallengeRequest: z.optional(z.object({ channel: z.string() })),
      }),
    }),
  ),
});

const network = createHash('sha256').update(TESTNET_PASSPHRASE).digest();
const channel = encodeStrKey('contract', Buffer.alloc(32, 7)) as ContractAddress;

function amountOf(value: bigint) {
  const amount = atomicAmount(value);
  assert(amount !== undefined);
  return amount;
}

function symbolEntry(key: string, val: xdr.ScVal): xdr.ScMapEntry {
  return new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(key), val });
}

describe('the bytes that a voucher signs', () => {
  it('are those that stock clients of MPP signed, and only the forged one fails', () => {
    let good = 0;
    const bad: string[] = [];
    for (const name of readdirSync(FOLDER).filter((each) => each.startsWith('channel-'))) {
      const { keys, exchanges } = recording.parse(
        JSON.parse(readFileSync(join(FOLDER, name), 'utf8')),
      );
      const key = readVoucherKey(
        decodeStrKey('account', keys.commitmentKey.publicKey) ?? Buffer.alloc(0),
      );
      assert(key !== undefined);
      for (const [index, { decoded }] of exchanges.entries()) {
        const { credential, credentialChallengeRequest: asked } = decoded;
        if (credential === undefined || asked === undefined) continue;
        const amount = parseAtomicAmount(credential.payload.amount);
        assert(amount !== undefined);
        const bytes = commitmentBytes(asked.channel as ContractAddress)(amount);
        const isGood = key.signed(bytes, Buffer.from(credential.payload.signature, 'hex'));
        if (isGood) good += 1;
        else bad.push(`${name} ${index === exchanges.length - 1 ? 'last' : index}`);
      }
    }
    assert(good >= 20, `${good} vouchers`);
    assert.deepEqual(bad, ['channel-refusals.json last']);
  });

  it('are the XDR of the four fields, whatever the amount', () => {
    const bytes = commitmentBytes(channel);
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 127n) - 1n), (value) => {
        const expected = xdr.ScVal.scvMap([
          symbolEntry(
            'amount',
            xdr.ScVal.scvI128(
              new xdr.Int128Parts({ hi: value >> 64n, lo: BigInt.asUintN(64, value) }),
            ),
          ),
          symbolEntry('channel', xdr.ScVal.scvAddress(toScAddress(channel))),
          symbolEntry('domain', xdr.ScVal.scvSymbol('chancmmt')),
          symbolEntry('network', xdr.ScVal.scvBytes(network)),
        ]);
        assert.equal(
          bytes(amountOf(value)).toString('hex'),
          Buffer.from(expected.toXdr()).toString('hex'),
        );
      }),
    );
  });

  it('are new for each amount, and no voucher starts a close', () => {
    const bytes = commitmentBytes(channel);
    const first = bytes(amountOf(1n));
    bytes(amountOf(2n));
    assert.deepEqual(first, bytes(amountOf(1n)));
    assert.notEqual(closingBytes(channel).length, first.length);
  });
});

const L = (1n << 252n) + 27742317777372353535851937790883648493n;
const littleEndian = (bytes: Uint8Array) =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const scalarBytes = (scalar: bigint) =>
  Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse();
const sha512 = (...parts: Uint8Array[]) =>
  createHash('sha512').update(Buffer.concat(parts)).digest();

/** The neutral point, whose order is one. */
const NEUTRAL = Buffer.from(`01${'00'.repeat(31)}`, 'hex');
const message = Buffer.from('a voucher');

function publicKeyOf(raw: Uint8Array) {
  const x = Buffer.from(raw).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

function pairOf(seed: Uint8Array) {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const secret = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(secret).export({ format: 'jwk' });
  return { secret, raw: Buffer.from(x ?? '', 'base64url') };
}

describe('a voucher key', () => {
  it('accepts its own signature and none for other bytes', () => {
    const { secret, raw } = pairOf(Buffer.alloc(32, 9));
    const key = readVoucherKey(raw);
    assert(key !== undefined);
    assert(key.signed(message, sign(null, message, secret)));
    assert(!key.signed(Buffer.from('another'), sign(null, message, secret)));
    assert(!key.signed(message, Buffer.alloc(63)));
  });

  it('is none if its point has a small order: OpenSSL takes a forged signature of it, the ledger takes none', () => {
    // Any message: R = [1]B is the base point, and [k] of the neutral point adds nothing.
    const base = Buffer.from(`58${'66'.repeat(31)}`, 'hex');
    const forged = Buffer.concat([base, scalarBytes(1n)]);
    assert(verify(null, message, publicKeyOf(NEUTRAL), forged), 'OpenSSL accepts it');
    assert.equal(readVoucherKey(NEUTRAL), undefined);
    const signed = Buffer.from(NEUTRAL);
    signed.writeUInt8(0x80, 31);
    assert.equal(readVoucherKey(signed), undefined);
  });

  it('refuses a signature whose first half has a small order: OpenSSL takes it, the ledger does not', () => {
    const seed = Buffer.alloc(32, 9);
    const { raw } = pairOf(seed);
    const half = sha512(seed).subarray(0, 32);
    half.writeUInt8(half.readUInt8(0) & 248, 0);
    half.writeUInt8((half.readUInt8(31) & 63) | 64, 31);
    const k = littleEndian(sha512(NEUTRAL, raw, message)) % L;
    const signature = Buffer.concat([NEUTRAL, scalarBytes((k * littleEndian(half)) % L)]);
    assert(verify(null, message, publicKeyOf(raw), signature), 'OpenSSL accepts it');
    assert.equal(readVoucherKey(raw)?.signed(message, signature), false);
  });
});
