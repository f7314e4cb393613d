import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { decodeXdr } from './decodeXdr.ts';
import { encodeXdr, encodeXdrList, hashXdr } from './encodeXdr.ts';
import { lazyXdr } from './lazyXdr.ts';
import type { WireSchema, WireValue } from './wireSchema.ts';
import { XdrCursor } from './xdrCursor.ts';

interface XdrType {
  readonly name: string;
  readonly schema: WireSchema;
  fromXdrObject(wire: WireValue): xdr.XdrValue;
  fromXdr(bytes: Uint8Array): xdr.XdrValue;
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

describe('A value is read as the SDK reads it', () => {
  it('whatever its type', () => {
    for (const type of types) {
      fc.assert(
        fc.property(anyOf(type.schema, 0), (wire) => {
          const bytes = type.fromXdrObject(wire).toXdr();
          const value = decodeXdr(type, bytes);
          assert.deepEqual(value, type.fromXdr(bytes), type.name);
          assert.deepEqual(encodeXdr(value), bytes, type.name);
        }),
        { numRuns: 8 },
      );
    }
  });

  it('or refused like the SDK does, and accepted values are written back unchanged', () => {
    let taken = 0;
    let refused = 0;
    for (const type of types) {
      fc.assert(
        fc.property(
          anyOf(type.schema, 0),
          fc.nat(),
          fc.nat({ max: 255 }),
          fc.constantFrom('change', 'cut', 'add'),
          (wire, where, byte, how) => {
            const bytes = mangled(type.fromXdrObject(wire).toXdr(), where, byte, how);
            const expected = attempt(() => type.fromXdr(bytes));
            const found = attempt(() => decodeXdr(type, bytes));
            assert.deepEqual(found, expected, type.name);
            if (found === undefined) refused += 1;
            else {
              taken += 1;
              assert.deepEqual(encodeXdr(found), bytes, type.name);
            }
          },
        ),
        { numRuns: 20 },
      );
    }
    assert.ok(taken > 500 && refused > 500, `${taken} taken, ${refused} refused`);
  });

  it('as deep as the SDK reads, and no deeper', () => {
    const nested = (depth: number): Buffer => {
      const list = Buffer.from('000000100000000100000001', 'hex');
      return Buffer.concat([
        ...new Array<Buffer>(depth).fill(list),
        Buffer.from('00000001', 'hex'),
      ]);
    };
    const deepest = (read: (bytes: Uint8Array) => unknown): number => {
      let depth = 1;
      while (attempt(() => read(nested(depth))) !== undefined) depth += 1;
      return depth;
    };
    const limit = deepest((bytes) => xdr.ScVal.fromXdr(bytes));
    assert.ok(limit > 100 && limit < 1_500, `${limit}`);
    assert.equal(
      deepest((bytes) => decodeXdr(xdr.ScVal, bytes)),
      limit,
    );
  });

  it('from memory that is reused afterwards', () => {
    const bytes = Buffer.from(xdr.ScVal.scvBytes(Uint8Array.of(1, 2, 3)).toXdr());
    const value = decodeXdr(xdr.ScVal, bytes);
    bytes.fill(9);
    assert.deepEqual(value, xdr.ScVal.scvBytes(Uint8Array.of(1, 2, 3)));
  });
});

describe('A value is extracted without being decoded', () => {
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

  it('or has an impossible length', () => {
    const list = Buffer.from('0000001000000001ffffffff00000000', 'hex');
    const text = Buffer.from('0000000effffffff00000000', 'hex');
    for (const bytes of [list, text]) {
      assert.throws(() => new XdrCursor(bytes).skip(xdr.ScVal), RangeError);
    }
  });
});

describe('A value that is written several times is the same each time', () => {
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

  it('even if a caller changed the returned bytes', () => {
    const value = event(3n);
    encodeXdr(value).fill(0);
    assert.deepEqual(encodeXdr(value), value.toXdr());
  });
});

describe('A structure that is decoded later', () => {
  const topics = [xdr.ScVal.scvSymbol('fee'), xdr.ScVal.scvVoid()];
  const plain = (): xdr.ContractEvent =>
    new xdr.ContractEvent({
      ext: xdr.ExtensionPoint.v0(),
      contractId: new xdr.ContractId(new Uint8Array(32).fill(5)),
      type: xdr.ContractEventType.contract,
      body: xdr.ContractEventBody.v0(
        new xdr.ContractEventV0({ topics, data: xdr.ScVal.scvU32(9) }),
      ),
    });
  const later = (): xdr.ContractEvent => lazyXdr(xdr.ContractEvent, plain().toXdr());

  it('has the fields, the form and the class of one that is decoded already', () => {
    assert.deepEqual(later().toXdr(), plain().toXdr());
    assert.deepEqual(later().toJson(), plain().toJson());
    assert.deepEqual(later().body, plain().body);
    assert.deepEqual(later().contractId, plain().contractId);
    assert.equal(later().type, xdr.ContractEventType.contract);
    assert.ok(later() instanceof xdr.ContractEvent);
    assert.ok(later().equals(plain()));
    const value = later();
    assert.equal(value.body, value.body);
  });

  it('is written back unchanged, alone and within others', () => {
    assert.deepEqual(encodeXdr(later()), plain().toXdr());
    const around = (event: xdr.ContractEvent): xdr.DiagnosticEvent =>
      new xdr.DiagnosticEvent({ inSuccessfulContractCall: true, event });
    assert.deepEqual(encodeXdr(around(later())), around(plain()).toXdr());
    // Its bytes are not looked at: the caller vouches for them.
    const other = Buffer.from('0badcafe', 'hex');
    assert.deepEqual(encodeXdr(lazyXdr(xdr.ContractEvent, other)), new Uint8Array(other));
    assert.throws(() => lazyXdr(xdr.ContractEvent, other).type, RangeError);
  });
});

describe('Values that are written together', () => {
  it('are hashed without a copy', () => {
    const value = xdr.ScVal.scvBytes(new Uint8Array(100).fill(3));
    const expected = createHash('sha256').update(value.toXdr()).digest();
    assert.deepEqual(hashXdr(value), expected);
  });

  it('are a list with their number before them', () => {
    const list = [xdr.ScVal.scvU32(1), xdr.ScVal.scvBool(true)];
    const count = Buffer.from('00000002', 'hex');
    const expected = Buffer.concat([count, ...list.map((value) => value.toXdr())]);
    assert.deepEqual(Buffer.from(encodeXdrList(list)), expected);
    assert.deepEqual(Buffer.from(encodeXdrList([])), Buffer.alloc(4));
  });
});

describe('A value that its type cannot hold is refused', () => {
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

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function mangled(bytes: Uint8Array, where: number, byte: number, how: string): Uint8Array {
  if (how === 'cut') return bytes.slice(0, where % bytes.length);
  const changed = new Uint8Array(bytes.length + (how === 'add' ? 4 : 0));
  changed.set(bytes);
  if (how === 'change') changed[where % bytes.length] = byte;
  return changed;
}

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
