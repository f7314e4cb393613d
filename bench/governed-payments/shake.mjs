// node shake.mjs FILE…: removes the types that a contract does not use from the interface in its module, as the SDK asks of its
// build tools. A used type leaves a mark in the module's data: `SpEcV1` and the beginning of its hash.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Spec } from '@stellar/stellar-sdk/contract';

const INTERFACE = 'contractspecv0';
const MARK = 'SpEcV1';
const HASH_BYTES = 8;

/** An unsigned LEB128 number. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at };
  }
}

function leb(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}

function inUse(module) {
  const marks = new Set();
  for (let at = module.indexOf(MARK); at >= 0; at = module.indexOf(MARK, at + 1)) {
    const from = at + MARK.length;
    marks.add(module.toString('hex', from, from + HASH_BYTES));
  }
  return ({ bytes, kind }) =>
    kind === 'scSpecEntryFunctionV0' ||
    marks.has(
      createHash('sha256')
        .update(bytes)
        .digest('hex')
        .slice(0, 2 * HASH_BYTES),
    );
}

for (const file of process.argv.slice(2)) {
  const module = readFileSync(file);
  const entries = Spec.fromWasm(module).entries.map((entry) => ({
    bytes: Buffer.from(entry.toXdr()),
    kind: entry.type,
  }));
  const kept = entries.filter(inUse(module)).map(({ bytes }) => bytes);
  const name = Buffer.concat([leb(INTERFACE.length), Buffer.from(INTERFACE)]);
  const content = Buffer.concat([name, ...kept]);
  const parts = [module.subarray(0, 8)];
  for (let at = 8; at < module.length; ) {
    const size = number(module, at + 1);
    const end = size.next + size.value;
    const isInterface =
      module[at] === 0 && module.subarray(size.next, size.next + name.length).equals(name);
    parts.push(
      isInterface
        ? Buffer.concat([Buffer.of(0), leb(content.length), content])
        : module.subarray(at, end),
    );
    at = end;
  }
  writeFileSync(file, Buffer.concat(parts));
  console.log(`${file}: ${kept.length} of ${entries.length} parts of the interface are in use`);
}
