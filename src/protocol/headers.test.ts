import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  decodeHeaderMessage,
  EXTENSION_RESPONSES_HEADER,
  encodeHeaderMessage,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
} from './headers.ts';
import { parseSettlementHash, settlementHash } from './settlementHash.ts';

describe('Headers carry padded base64 of JSON', () => {
  it('[spec: extension-responses header/Name] lower-case header name', () => {
    assert.equal(EXTENSION_RESPONSES_HEADER, 'extension-responses');
  });

  it('[spec: What the service does/2.4] [spec: What the service does/2.6] the three headers of a payment', () => {
    const names = [PAYMENT_REQUIRED_HEADER, PAYMENT_SIGNATURE_HEADER, PAYMENT_RESPONSE_HEADER];
    assert.deepEqual(names, ['PAYMENT-REQUIRED', 'PAYMENT-SIGNATURE', 'PAYMENT-RESPONSE']);
  });

  it('is the same as any base64 of UTF-8 JSON', () => {
    const message = { resource: 'https://café.example/日本', n: 1 };
    const value = encodeHeaderMessage(message);
    assert.equal(value, Buffer.from(JSON.stringify(message), 'utf8').toString('base64'));
  });

  it('decodes every message that it encoded', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const message = JSON.parse(JSON.stringify(value)) as unknown;
        assert.deepEqual(decodeHeaderMessage(encodeHeaderMessage(message)), message);
      }),
    );
  });

  it('returns nothing for anything but base64 of JSON', () => {
    for (const value of ['', '{}', '%%%%', 'AAAA', 'e30=\n', '/////w==']) {
      assert.equal(decodeHeaderMessage(value), undefined, value);
    }
  });
});

describe('Settlement hashes', () => {
  it('are 64 lower-case hexadecimal digits', () => {
    const text = '0f'.repeat(32);
    assert.equal(settlementHash(new Uint8Array(32).fill(0x0f)), text);
    assert.equal(parseSettlementHash(text), text);
    for (const wrong of ['', text.toUpperCase(), text.slice(1), `${text}00`]) {
      assert.equal(parseSettlementHash(wrong), undefined);
    }
    assert.throws(() => settlementHash(new Uint8Array(31)), RangeError);
  });
});
