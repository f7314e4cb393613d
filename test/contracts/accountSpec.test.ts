import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { contract, StrKey, xdr } from '@stellar/stellar-sdk';
import type { ContractAddress } from '../../src/protocol/index.ts';
import {
  accountSignature,
  readSignerKey,
  type Signer,
  type SignerKey,
  toSigner,
  toSignerKey,
} from '../../src/protocol/smartAccount/index.ts';

function wasmOf(name: string): Buffer<ArrayBuffer> {
  return readFileSync(new URL(`../../contracts/wasm/${name}.wasm`, import.meta.url));
}

/** The interface that a committed module carries, as the Stellar SDK reads it. */
function specOf(name: string): contract.Spec {
  return contract.Spec.fromWasm(wasmOf(name));
}

const CONTRACTS = [
  'attestation-registry',
  'smart-account',
  'spending-limit',
  'upto',
  'verified-only',
];

const functionsOf = (spec: contract.Spec) =>
  spec
    .funcs()
    .map((called) => [called.name.toString(), called.inputs.map((input) => input.name.toString())])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));

const bytes = (label: string) => createHash('sha256').update(label).digest();
const address = (label: string) => StrKey.encodeContract(bytes(label)) as ContractAddress;
const udt = (name: string) => xdr.ScSpecTypeDef.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name }));

describe('The interfaces of the committed modules', () => {
  it('smart-account has the functions of passkey-kit, policies() and change_signers()', () => {
    assert.deepEqual(functionsOf(specOf('smart-account')), [
      ['__check_auth', ['signature_payload', 'signatures', 'auth_contexts']],
      ['__constructor', ['signer']],
      ['add_signer', ['signer']],
      ['change_signers', ['remove', 'add']],
      ['get_signer', ['signer_key']],
      ['policies', []],
      ['remove_signer', ['signer_key']],
      ['update_signer', ['signer']],
      ['upgrade', ['new_wasm_hash']],
    ]);
  });

  it('policies have the functions that accounts and the settlement contract call', () => {
    const policy = ['policy__', ['source', 'signer', 'contexts']];
    const limit = functionsOf(specOf('spending-limit'));
    const verified = functionsOf(specOf('verified-only'));
    for (const functions of [limit, verified]) {
      for (const expected of [policy, ['install', ['wallet']], ['uninstall', ['wallet']]]) {
        assert.ok(functions.some((called) => JSON.stringify(called) === JSON.stringify(expected)));
      }
    }
    const release = JSON.stringify(['release', ['from', 'nonce', 'actual']]);
    assert.ok(limit.some((called) => JSON.stringify(called) === release));
  });

  // A payment pays for each byte and each page of the modules that it loads.
  for (const name of CONTRACTS) {
    it(`${name} carries no comments, and takes one page of memory`, async () => {
      const texts = JSON.stringify(specOf(name).entries, (_, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      );
      assert.deepEqual(texts.match(/"doc":"[^"]+"/g), null);
      const module = await WebAssembly.compile(wasmOf(name));
      // Whatever it takes from the host: nothing is called here.
      const functions = new Proxy({}, { get: () => () => 0n });
      const host = new Proxy({}, { get: () => functions });
      const { memory } = new WebAssembly.Instance(module, host).exports;
      assert.ok(memory instanceof WebAssembly.Memory);
      assert.equal(memory.buffer.byteLength, 65_536);
    });
  }
});

describe('Values of the smart account, as clients write them', () => {
  const spec = specOf('smart-account');
  const same = (ours: xdr.ScVal, theirs: xdr.ScVal) =>
    assert.equal(ours.toXdr('base64'), theirs.toXdr('base64'));

  const keys: readonly (readonly [SignerKey, object])[] = [
    [
      { kind: 'policy', policy: address('p') },
      { tag: 'Policy', values: [address('p')] },
    ],
    [
      { kind: 'ed25519', publicKey: bytes('k') },
      { tag: 'Ed25519', values: [bytes('k')] },
    ],
    [
      { kind: 'secp256r1', keyId: bytes('i') },
      { tag: 'Secp256r1', values: [bytes('i')] },
    ],
  ];

  it('signers’ keys match the contract’s own interface, and are read back', () => {
    for (const [key, native] of keys) {
      same(toSignerKey(key), spec.nativeToScVal(native, udt('SignerKey')));
      assert.deepEqual(readSignerKey(toSignerKey(key)), key);
    }
    for (const wrong of [xdr.ScVal.scvVoid(), xdr.ScVal.scvVec([]), xdr.ScVal.scvVec(null)]) {
      assert.equal(readSignerKey(wrong), undefined);
    }
  });

  it('signers are, with limits in the host’s order', () => {
    const contracts = ['a', 'b', 'c', 'd', 'e'].map(address);
    const [first = contracts[0], ...others] = contracts;
    assert.ok(first);
    const approvers: SignerKey[] = keys.map(([key]) => key);
    const grants = new Map([
      [first, approvers],
      ...others.map((granted): [ContractAddress, null] => [granted, null]),
    ]);
    // The SDK leaves the order of a map to its caller. The host wants the addresses' bytes in order.
    const bytesOf = (id: string) => Buffer.from(StrKey.decodeContract(id));
    const sorted = [...contracts].sort((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)));
    const natives = keys.map(([, native]) => native);
    const limits = new Map(
      sorted.map((granted): [string, object[] | undefined] => {
        return [granted, granted === first ? natives : undefined];
      }),
    );
    const point = Buffer.concat([Buffer.of(4), bytes('x'), bytes('y')]);
    const cases: readonly (readonly [Signer, object])[] = [
      [
        {
          key: { kind: 'secp256r1', keyId: bytes('i') },
          publicKey: point,
          expirationLedger: null,
          grants: null,
          storage: 'Persistent',
        },
        {
          tag: 'Secp256r1',
          values: [bytes('i'), point, [undefined], [undefined], { tag: 'Persistent' }],
        },
      ],
      [
        {
          key: { kind: 'ed25519', publicKey: bytes('k') },
          expirationLedger: 77,
          grants,
          storage: 'Temporary',
        },
        { tag: 'Ed25519', values: [bytes('k'), [77], [limits], { tag: 'Temporary' }] },
      ],
      [
        {
          key: { kind: 'policy', policy: address('p') },
          expirationLedger: null,
          grants: new Map(),
          storage: 'Persistent',
        },
        { tag: 'Policy', values: [address('p'), [undefined], [new Map()], { tag: 'Persistent' }] },
      ],
    ];
    for (const [signer, native] of cases) {
      same(toSigner(signer), spec.nativeToScVal(native, udt('Signer')));
    }
  });

  it('signatures are, in the host’s order of signers', () => {
    const passkey = (id: string) => ({
      kind: 'secp256r1' as const,
      keyId: bytes(id),
      authenticatorData: bytes('a'),
      clientDataJson: bytes('c'),
      signature: Buffer.concat([bytes('r'), bytes('s')]),
    });
    const key = (name: string) => ({
      kind: 'ed25519' as const,
      publicKey: bytes(name),
      signature: Buffer.concat([bytes('r'), bytes(name)]),
    });
    const parts = [passkey('1'), key('1'), passkey('2'), key('2'), key('3')];
    const native = new Map(
      parts.map((part) =>
        part.kind === 'ed25519'
          ? [
              { tag: 'Ed25519', values: [part.publicKey] },
              { tag: 'Ed25519', values: [part.signature] },
            ]
          : [
              { tag: 'Secp256r1', values: [part.keyId] },
              {
                tag: 'Secp256r1',
                values: [
                  {
                    authenticator_data: part.authenticatorData,
                    client_data_json: part.clientDataJson,
                    signature: part.signature,
                  },
                ],
              },
            ],
      ) as [object, object][],
    );
    const ours = accountSignature(parts);
    const theirs = spec.nativeToScVal([native], udt('Signatures'));
    const entriesOf = (value: xdr.ScVal) => {
      const [map] = value.type === 'scvVec' ? (value.vec ?? []) : [];
      assert.ok(map?.type === 'scvMap');
      return (map.map ?? []).map((entry) => entry.toXdr('base64'));
    };
    // The SDK leaves the order to its caller; the contents are the same, and the order is the host's.
    assert.deepEqual([...entriesOf(ours)].sort(), [...entriesOf(theirs)].sort());
    const hex = (label: string) => bytes(label).toString('hex');
    const names = (labels: string[]) => labels.sort((a, b) => (hex(a) < hex(b) ? -1 : 1));
    const expected = [...names(['1', '2', '3']), ...names(['1', '2'])];
    assert.equal(entriesOf(ours).length, expected.length);
    const order = (ours.type === 'scvVec' ? ours.vec : [])?.[0];
    assert.ok(order?.type === 'scvMap');
    const found = (order.map ?? []).map(({ key: named }) => {
      const read = readSignerKey(named);
      assert.ok(read !== undefined && read.kind !== 'policy');
      return Buffer.from(read.kind === 'ed25519' ? read.publicKey : read.keyId).toString('hex');
    });
    assert.deepEqual(found, expected.map(hex));
  });
});
