import assert from 'node:assert/strict';
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { decodeStrKey, STELLAR_TESTNET } from '../../src/protocol/index.ts';
import {
  challengeText,
  decodeJson,
  encodeJson,
  type MppChallenge,
  readChallenges,
  readChargeRequest,
  readCredential,
  readReceipt,
  readSource,
  writeChallenge,
  writeCredential,
  writeReceipt,
} from '../../src/protocol/mpp/index.ts';
import { projectRoot } from '../docs/pages/projectFile.ts';

const FOLDER = join(projectRoot, 'test/mpp/vectors');

const json = z.record(z.string(), z.unknown());
const schema = z.object({
  keys: z.looseObject({ commitmentKey: z.optional(z.looseObject({ publicKey: z.string() })) }),
  exchanges: z.array(
    z.object({
      request: z.object({
        method: z.string(),
        target: z.string(),
        headers: z.array(z.tuple([z.string(), z.string()])),
        body: z.nullish(z.string()),
      }),
      response: z.object({
        status: z.number(),
        headers: z.array(z.tuple([z.string(), z.string()])),
      }),
      decoded: z.object({
        challenges: z.optional(z.array(json)),
        credential: z.optional(json),
        credentialChallengeRequest: z.optional(json),
        receipt: z.optional(json),
      }),
    }),
  ),
});

type Headers = readonly (readonly [string, string])[];
const headerIn = (headers: Headers, name: string): string =>
  headers
    .filter(([each]) => each.toLowerCase() === name)
    .map(([, value]) => value)
    .join(', ');

function idOf(challenge: Omit<MppChallenge, 'id'>, file: string): string {
  const secret = file.startsWith('dual-') ? 'labsecret' : 'lab-mpp-secret-000000000000000000';
  return createHmac('sha256', secret).update(challengeText(challenge)).digest('base64url');
}

/** Whether an Ed25519 signature in hex is that of an account. */
function isSigned(bytes: Buffer, account: string, signature: unknown): boolean {
  const raw = decodeStrKey('account', account);
  assert.ok(raw && typeof signature === 'string');
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return verify(null, bytes, key, Buffer.from(signature, 'hex'));
}

const length = (count: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(count);
  return bytes;
};
const symbol = (name: string): Buffer =>
  Buffer.concat([
    length(15),
    length(name.length),
    Buffer.from(name),
    Buffer.alloc((4 - (name.length % 4)) % 4),
  ]);

/** The XDR that a voucher signs: a map of amount, channel, domain and network. */
function voucher(channel: string, amount: bigint): Buffer {
  const contract = decodeStrKey('contract', channel);
  assert.ok(contract);
  const i128 = Buffer.alloc(20);
  i128.writeUInt32BE(10);
  i128.writeBigInt64BE(amount >> 64n, 4);
  i128.writeBigUInt64BE(amount & 0xffffffffffffffffn, 12);
  const network = createHash('sha256').update('Test SDF Network ; September 2015').digest();
  return Buffer.concat([
    ...[length(17), length(1), length(4), symbol('amount'), i128, symbol('channel'), length(18)],
    ...[length(1), contract, symbol('domain'), symbol('chancmmt'), symbol('network'), length(13)],
    ...[length(32), network],
  ]);
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
  describe(`The recorded messages of ${file}`, () => {
    const { keys, exchanges } = schema.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')));
    for (const [index, { request, response, decoded }] of exchanges.entries()) {
      const asked = `${request.method} ${request.target}, exchange ${index}`;

      for (const [at, shown] of (decoded.challenges ?? []).entries()) {
        it(`${asked}: challenge ${at} is read, has its id, and is written again`, () => {
          const header = headerIn(response.headers, 'www-authenticate');
          const challenge = readChallenges(header)[at];
          assert.ok(challenge);
          assert.deepEqual({ ...challenge, request: decodeJson(challenge.request) }, shown);
          assert.equal(challenge.request, encodeJson(shown['request']));
          assert.equal(challenge.id, idOf(challenge, file));
          assert.equal(readChallenges(writeChallenge(challenge)).length, 1);
          assert.deepEqual(readChallenges(writeChallenge(challenge))[0], challenge);
          if (challenge.digest !== undefined) {
            const digest = createHash('sha256')
              .update(request.body ?? '')
              .digest('base64');
            assert.equal(challenge.digest, `sha-256=${digest}`);
          }
          if (challenge.intent === 'charge') assert.ok(readChargeRequest(challenge.request));
        });
      }

      const authorization = headerIn(request.headers, 'authorization');
      const { credential: shown } = decoded;
      if (authorization !== '' && shown?.['challenge'] === undefined) {
        it(`${asked}: ${authorization.slice(0, 12)} is not a credential`, () => {
          assert.equal(readCredential(authorization), undefined);
        });
      } else if (authorization !== '') {
        it(`${asked}: the credential is read, is bound as recorded, and is written again`, () => {
          const credential = readCredential(authorization);
          assert.ok(credential);
          assert.deepEqual(credential, shown);
          const { challenge, source, payload } = credential;
          const isTampered = file === 'charge-tampered.json' && index === 2;
          assert.equal(challenge.id === idOf(challenge, file), !isTampered);
          assert.deepEqual(readCredential(writeCredential(credential)), credential);
          const payer = source === undefined ? undefined : readSource(source, STELLAR_TESTNET);
          if (source !== undefined) assert.ok(payer);
          if (payload['type'] === 'signedHash') {
            const text = `${challenge.id}:${String(payload['hash']).toLowerCase()}`;
            assert.ok(isSigned(Buffer.from(text), String(payer), payload['sourceSignature']));
          }
          if (challenge.intent === 'channel') {
            const channel = String(decoded.credentialChallengeRequest?.['channel']);
            const signed = voucher(channel, BigInt(String(payload['amount'])));
            const isWrongKey = file === 'channel-refusals.json' && index === exchanges.length - 1;
            const account = keys.commitmentKey?.publicKey ?? '';
            assert.equal(isSigned(signed, account, payload['signature']), !isWrongKey);
          }
        });
      }

      const { receipt: claimed } = decoded;
      if (claimed !== undefined) {
        it(`${asked}: the receipt comes with a success and is written alike`, () => {
          const value = headerIn(response.headers, 'payment-receipt');
          const receipt = readReceipt(value);
          assert.ok(receipt);
          assert.deepEqual(
            [response.status, receipt.method, receipt.status],
            [200, 'stellar', 'success'],
          );
          assert.deepEqual(receipt, claimed);
          assert.equal(writeReceipt(receipt), value);
        });
      }
    }
  });
}
