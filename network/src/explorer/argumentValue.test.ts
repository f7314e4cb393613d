import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk';
import { argumentValue } from './argumentValue.ts';

const T = xdr.ScSpecTypeDef;
const ACCOUNT = StrKey.encodeEd25519PublicKey(Buffer.alloc(32, 7));
const udt = (name: string): xdr.ScSpecTypeDef => T.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name }));
const vec = (elementType: xdr.ScSpecTypeDef): xdr.ScSpecTypeDef =>
  T.scSpecTypeVec(new xdr.ScSpecTypeVec({ elementType }));
const option = (valueType: xdr.ScSpecTypeDef): xdr.ScSpecTypeDef =>
  T.scSpecTypeOption(new xdr.ScSpecTypeOption({ valueType }));
const map = (keyType: xdr.ScSpecTypeDef, valueType: xdr.ScSpecTypeDef): xdr.ScSpecTypeDef =>
  T.scSpecTypeMap(new xdr.ScSpecTypeMap({ keyType, valueType }));
const bytesN = (n: number): xdr.ScSpecTypeDef =>
  T.scSpecTypeBytesN(new xdr.ScSpecTypeBytesN({ n }));

const TYPES = new Map([
  [
    'Point',
    {
      kind: 'struct',
      fields: [
        { name: 'y', type: T.scSpecTypeI32() },
        { name: 'x', type: T.scSpecTypeI32() },
        { name: 'note', type: option(T.scSpecTypeString()) },
      ],
    },
  ],
  [
    'Pair',
    { kind: 'struct', fields: [0, 1].map((at) => ({ name: String(at), type: T.scSpecTypeU32() })) },
  ],
  [
    'Shape',
    {
      kind: 'union',
      cases: new Map([
        ['None', []],
        ['Dot', [udt('Point')]],
      ]),
    },
  ],
  [
    'Color',
    {
      kind: 'enum',
      cases: new Map([
        [1, 'Red'],
        [5, 'Blue'],
      ]),
    },
  ],
  ['Loop', { kind: 'struct', fields: [{ name: 'inner', type: udt('Loop') }] }],
] as const);

const read = (text: string, type: xdr.ScSpecTypeDef): xdr.ScVal => argumentValue(text, type, TYPES);
const same = (text: string, type: xdr.ScSpecTypeDef, wanted: xdr.ScVal): void =>
  assert.equal(read(text, type).toXdr('base64'), wanted.toXdr('base64'), text);

describe('a typed argument', () => {
  it('can be a number of every size, up to its limits and not beyond', () => {
    const sizes = [
      [T.scSpecTypeU32(), 'u32', 32, false],
      [T.scSpecTypeI32(), 'i32', 32, true],
      [T.scSpecTypeU64(), 'u64', 64, false],
      [T.scSpecTypeI64(), 'i64', 64, true],
      [T.scSpecTypeU128(), 'u128', 128, false],
      [T.scSpecTypeI128(), 'i128', 128, true],
      [T.scSpecTypeU256(), 'u256', 256, false],
      [T.scSpecTypeI256(), 'i256', 256, true],
    ] as const;
    for (const [type, name, bits, signed] of sizes) {
      const most = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
      const least = signed ? -most - 1n : 0n;
      for (const value of [0n, 1n, most, least, most >> 3n, signed ? -12_345n : 12_345n]) {
        same(
          ` ${value} `,
          type,
          nativeToScVal(bits === 32 ? Number(value) : value, { type: name }),
        );
      }
      for (const text of [
        `${most + 1n}`,
        `${least - 1n}`,
        '',
        '1.5',
        '1e3',
        '0x10',
        '9'.repeat(99),
      ]) {
        assert.throws(() => read(text, type), { code: 'BAD_ARGUMENT' }, `${name} ${text}`);
      }
    }
  });

  it('can be text, a symbol, bytes, an address or nothing', () => {
    same('"quoted"', T.scSpecTypeString(), xdr.ScVal.scvString('"quoted"'));
    same('transfer', T.scSpecTypeSymbol(), xdr.ScVal.scvSymbol('transfer'));
    same('0x00ff', T.scSpecTypeBytes(), xdr.ScVal.scvBytes(Buffer.from([0, 255])));
    same('00ff', bytesN(2), xdr.ScVal.scvBytes(Buffer.from([0, 255])));
    same(ACCOUNT, T.scSpecTypeAddress(), nativeToScVal(ACCOUNT, { type: 'address' }));
    same('true', T.scSpecTypeBool(), xdr.ScVal.scvBool(true));
    same('', option(T.scSpecTypeU32()), xdr.ScVal.scvVoid());
    same('4', option(T.scSpecTypeU32()), xdr.ScVal.scvU32(4));
    same('', T.scSpecTypeVoid(), xdr.ScVal.scvVoid());
    const refused = [
      ['a b', T.scSpecTypeSymbol()],
      ['x'.repeat(33), T.scSpecTypeSymbol()],
      ['abc', T.scSpecTypeBytes()],
      ['00', bytesN(2)],
      ['GAAA', T.scSpecTypeAddress()],
      ['yes', T.scSpecTypeBool()],
      ['x', T.scSpecTypeVoid()],
      ['{}', T.scSpecTypeVal()],
    ] as const;
    for (const [text, type] of refused) {
      assert.throws(() => read(text, type), { code: 'BAD_ARGUMENT' }, text);
    }
  });

  it('can be JSON for composite values, in the host’s order', () => {
    same(
      '[1, "2"]',
      vec(T.scSpecTypeU32()),
      xdr.ScVal.scvVec([1, 2].map((n) => xdr.ScVal.scvU32(n))),
    );
    const field = (key: xdr.ScVal, val: xdr.ScVal) => new xdr.ScMapEntry({ key, val });
    const symbol = (name: string) => xdr.ScVal.scvSymbol(name);
    const point = xdr.ScVal.scvMap([
      field(symbol('note'), xdr.ScVal.scvVoid()),
      field(symbol('x'), xdr.ScVal.scvI32(-1)),
      field(symbol('y'), xdr.ScVal.scvI32(2)),
    ]);
    same('{"x": -1, "y": 2}', udt('Point'), point);
    same('["Dot", {"y": 2, "x": -1}]', udt('Shape'), xdr.ScVal.scvVec([symbol('Dot'), point]));
    for (const none of ['None', '"None"', '["None"]']) {
      same(none, udt('Shape'), xdr.ScVal.scvVec([symbol('None')]));
    }
    for (const blue of ['Blue', '"Blue"', '5']) same(blue, udt('Color'), xdr.ScVal.scvU32(5));
    same('[3, 4]', udt('Pair'), xdr.ScVal.scvVec([3, 4].map((n) => xdr.ScVal.scvU32(n))));
    const numbers = [-5n, 3n, 20n].map((n) => nativeToScVal(n, { type: 'i128' }));
    same(
      '[["20", 1], ["-5", 1], ["3", 1]]',
      map(T.scSpecTypeI128(), T.scSpecTypeU32()),
      xdr.ScVal.scvMap(numbers.map((key) => field(key, xdr.ScVal.scvU32(1)))),
    );
    same(
      '[["bb", 1], ["c", 1], ["a", 1]]',
      map(T.scSpecTypeSymbol(), T.scSpecTypeU32()),
      xdr.ScVal.scvMap(['a', 'bb', 'c'].map((name) => field(symbol(name), xdr.ScVal.scvU32(1)))),
    );
  });

  it('is refused with a message if it is anything else, however it is nested', () => {
    const refused = [
      ['{"x": 1}', udt('Point'), /needs y/],
      ['{"x": 1, "y": 1, "z": 1}', udt('Point'), /has no z/],
      ['[1]', udt('Pair'), /not a Pair/],
      ['["Dot"]', udt('Shape'), /not a Shape/],
      ['Line', udt('Shape'), /one of None, Dot/],
      ['Green', udt('Color'), /one of Red, Blue/],
      ['{', udt('Point'), /as JSON/],
      ['[9007199254740993]', vec(T.scSpecTypeU64()), /quotation marks/],
      ['{}', vec(T.scSpecTypeU64()), /not a Vec<u64>/],
      ['1', udt('Missing'), /not declared/],
      [`${'{"inner":'.repeat(50)}1${'}'.repeat(50)}`, udt('Loop'), /nested too deep/],
      [`[${'1,'.repeat(5_000)}1]`, vec(T.scSpecTypeU32()), /too large/],
      ['{"__proto__": 1, "x": 1, "y": 1}', udt('Point'), /has no __proto__/],
    ] as const;
    for (const [text, type, message] of refused) {
      assert.throws(() => read(text, type), { code: 'BAD_ARGUMENT', message }, text.slice(0, 40));
    }
  });
});
