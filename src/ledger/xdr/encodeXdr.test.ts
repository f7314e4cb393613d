import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { encodeXdr } from './encodeXdr.ts';
import type { WireSchema, WireValue } from './wireSchema.ts';
import { XdrCursor } from './xdrCursor.ts';

interface XdrType {
  readonly name: string;
  readonly schema: WireSchema;
  fromXdrObject(wire: WireValue): xdr.XdrValue;
}

/** Every structure, union and wrapped value that the SDK knows. */
const types = Object.values<unknown>(xdr).filter(isXdrType);

describe('A value is written as the SDK writes it', () => {
  it('whatever its type', () => {
    assert.ok(types.length > 300, `${types.length} types`);
    for (const type of types) {
      fc.assert(
        fc.property(anyOf(type.schema, 0), (wire) => {
          const value = type.fromXdrObject(wire);
          assert.deepEqual(encodeXdr(value), value.toXdr(), type.name);
        }),
        { numRuns: 8 },
      );
    }
  });

  it('however large', () => {
    const bytes = xdr.ScVal.scvBytes(new Uint8Array(5_000_000).fill(7));
    assert.deepEqual(encodeXdr(bytes), bytes.toXdr());
    for (const number of [xdr.ScVal.scvU32(1), xdr.ScVal.scvI64(-1n), xdr.ScVal.scvU64(1n)]) {
      const list = xdr.ScVal.scvVec(new Array<xdr.ScVal>(50_000).fill(number));
      assert.deepEqual(encodeXdr(list), list.toXdr());
    }
    const small = xdr.ScVal.scvU32(7);
    assert.deepEqual(encodeXdr(small), small.toXdr());
  });
});

describe('A value is cut out of what is around it without being decoded', () => {
  it('whatever its type', () => {
    for (const type of types) {
      fc.assert(
        fc.property(anyOf(type.schema, 0), (wire) => {
          const bytes = type.fromXdrObject(wire).toXdr();
          const cursor = new XdrCursor(Buffer.concat([Buffer.alloc(4), bytes, Buffer.alloc(8)]));
          cursor.uint32();
          assert.deepEqual(new Uint8Array(cursor.take(type)), bytes, type.name);
          cursor.skip64();
          cursor.end();
        }),
        { numRuns: 8 },
      );
    }
  });

  it('unless it ends too early', () => {
    for (const type of types) {
      fc.assert(
        fc.property(anyOf(type.schema, 0), fc.nat(), (wire, less) => {
          const bytes = type.fromXdrObject(wire).toXdr();
          const cut = bytes.subarray(0, bytes.length - 1 - (less % bytes.length));
          assert.throws(() => new XdrCursor(cut).skip(type), RangeError, type.name);
        }),
        { numRuns: 4 },
      );
    }
  });

  it('or has a length that nothing has', () => {
    const list = Buffer.from('0000001000000001ffffffff00000000', 'hex');
    const text = Buffer.from('0000000effffffff00000000', 'hex');
    for (const bytes of [list, text]) {
      assert.throws(() => new XdrCursor(bytes).skip(xdr.ScVal), RangeError);
    }
  });
});

describe('What is written several times is the same each time', () => {
  const event = (value: bigint): xdr.DiagnosticEvent =>
    new xdr.DiagnosticEvent({
      inSuccessfulContractCall: true,
      event: new xdr.ContractEvent({
        ext: xdr.ExtensionPoint.v0(),
        contractId: null,
        type: xdr.ContractEventType.diagnostic,
        body: xdr.ContractEventBody.v0(
          new xdr.ContractEventV0({
            topics: [xdr.ScVal.scvSymbol('metric')],
            data: xdr.ScVal.scvU64(value),
          }),
        ),
      }),
    });
  const meta = (diagnosticEvents: xdr.DiagnosticEvent[]): xdr.TransactionMeta =>
    xdr.TransactionMeta.v4(
      new xdr.TransactionMetaV4({
        ext: xdr.ExtensionPoint.v0(),
        txChangesBefore: [],
        operations: [],
        txChangesAfter: [],
        sorobanMeta: null,
        events: [],
        diagnosticEvents,
      }),
    );

  it('alone, within others, and beside them', () => {
    const [one, other] = [event(1n), event(2n)];
    assert.deepEqual(encodeXdr(one), one.toXdr());
    for (const whole of [meta([one, other, one]), meta([other]), meta([])]) {
      for (let n = 0; n < 2; n += 1) assert.deepEqual(encodeXdr(whole), whole.toXdr());
    }
    assert.deepEqual(encodeXdr(other), other.toXdr());
  });

  it('even where somebody changed the bytes that were handed out', () => {
    const value = event(3n);
    encodeXdr(value).fill(0);
    assert.deepEqual(encodeXdr(value), value.toXdr());
  });
});

describe('What its type cannot hold is refused', () => {
  const int = (n: number, d: number): (() => unknown) => {
    return () => encodeXdr(new xdr.Price({ n, d }));
  };
  const refused: Record<string, () => unknown> = {
    'a number above 32 bits': int(2 ** 31, 1),
    'a fraction': int(1, 0.5),
    'an unsigned number below zero': () => encodeXdr(xdr.ScVal.scvU32(-1)),
    'a number above 64 bits': () => encodeXdr(xdr.ScVal.scvI64(2n ** 63n)),
    'an unsigned 64-bit number below zero': () => encodeXdr(xdr.ScVal.scvU64(-1n)),
    'too long a list': () => encodeXdr(xdr.ScVal.scvSymbol('a'.repeat(33))),
  };
  for (const [what, encode] of Object.entries(refused)) {
    it(what, () => assert.throws(encode, RangeError));
  }

  it('and leaves nothing behind for the next value', () => {
    assert.throws(int(1, 0.5), RangeError);
    const value = new xdr.Price({ n: 1, d: 2 });
    assert.deepEqual(encodeXdr(value), value.toXdr());
  });
});

function isXdrType(type: unknown): type is XdrType {
  return typeof type === 'function' && 'schema' in type && 'fromXdrObject' in type;
}

const MAX_DEPTH = 8;
const MAX_ITEMS = 3;

/** Values of a schema; deep down those that end soonest. */
function anyOf(schema: WireSchema, depth: number): fc.Arbitrary<WireValue> {
  const deep = depth > MAX_DEPTH;
  const items = (max: number): number => (deep ? 0 : Math.min(max, MAX_ITEMS));
  switch (schema.kind) {
    case 'struct':
      return fc.record(
        Object.fromEntries(schema.entries.map(([name, of]) => [name, anyOf(of, depth + 1)])),
      );
    case 'union': {
      const { switchKey } = schema;
      const arms = schema.cases.filter(({ arm }) => !deep || arm.kind === 'void');
      const cases = arms.length > 0 ? arms : schema.cases.slice(0, 1);
      return fc.constantFrom(...cases).chain(({ discriminant, arm }) => {
        const tag = { [switchKey]: fc.constant(discriminant) };
        return fc.record(
          arm.kind === 'void' ? tag : { ...tag, [arm.name]: anyOf(arm.schema, depth + 1) },
        );
      });
    }
    case 'array':
      return fc.array(later(schema.element, depth), { maxLength: items(schema.maxLength) });
    case 'fixedArray':
      return fc.array(later(schema.element, depth), {
        minLength: schema.length,
        maxLength: schema.length,
      });
    case 'option':
      return deep ? fc.constant(null) : fc.option(later(schema.element, depth));
    case 'opaque':
      return fc.uint8Array({ minLength: schema.length, maxLength: schema.length });
    case 'varOpaque':
      return fc.uint8Array({ maxLength: items(schema.maxLength) * 20 });
    case 'string':
      return fc
        .uint8Array({ maxLength: items(schema.maxLength) })
        .map((bytes) => new xdr.XdrString(bytes));
    case 'lazy':
      return later(schema, depth);
    case 'enum':
      return fc.constantFrom(...schema.nameByValue.keys());
    case 'bool':
      return fc.boolean();
    case 'int32':
      return fc.integer();
    case 'uint32':
      return fc.nat({ max: 0x7fffffff }).map((n) => n * 2);
    case 'int64':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case 'uint64':
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case 'void':
      return fc.constant(null);
  }
}

/** Made only when it is drawn: types may hold themselves. */
function later(schema: WireSchema, depth: number): fc.Arbitrary<WireValue> {
  const of = schema.kind === 'lazy' ? schema.getSchema() : schema;
  return fc.constant(null).chain(() => anyOf(of, depth + 1));
}
