// node strip.mjs [--exports] FILE…
// Removes the comments from the interface in a module (SEP-48). The sources keep them; the buyer of a call pays for every byte
// of the module. With --exports it removes the exports that the compiler adds and nobody calls instead: a call pays for each
// export too, and the optimizer can then drop the code behind them.
import { readFileSync, writeFileSync } from 'node:fs';
import { Spec } from '@stellar/stellar-sdk/contract';

const INTERFACE = 'contractspecv0';

/** The parts of a module: from where to where, and the name of a custom section. */
function* sections(module) {
  for (let at = 8; at < module.length; ) {
    const from = at;
    const kind = module[at++];
    const size = number(module, at);
    const to = size.next + size.value;
    const name = kind === 0 ? number(module, size.next) : undefined;
    yield {
      from,
      to,
      name: name && module.toString('latin1', name.next, name.next + name.value),
      // What comes after the name.
      content: name && name.next + name.value,
    };
    at = to;
  }
}

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

/** Empties every comment below a part of the interface. */
function silence(part) {
  if (Array.isArray(part)) part.forEach(silence);
  else if (typeof part === 'object' && part !== null && !(part instanceof Uint8Array)) {
    for (const [name, value] of Object.entries(part)) {
      if (name === 'doc') part.doc = '';
      else silence(value);
    }
  }
}

/** The end of the stack, the beginning of the heap, and a mark of the SDK's for the linker. */
const ADDED = ['__data_end', '__heap_base', '_'];
const EXPORTS = 7;

function withoutAdded(module) {
  const parts = [module.subarray(0, 8)];
  for (const { from, to } of sections(module)) {
    if (module[from] !== EXPORTS) {
      parts.push(module.subarray(from, to));
      continue;
    }
    const count = number(module, number(module, from + 1).next);
    const kept = [];
    for (let at = count.next; at < to; ) {
      const name = number(module, at);
      const end = name.next + name.value;
      const next = number(module, end + 1).next;
      const text = module.toString('utf8', name.next, end);
      if (!ADDED.includes(text)) kept.push(module.subarray(at, next));
      at = next;
    }
    const content = Buffer.concat([leb(kept.length), ...kept]);
    parts.push(Buffer.from([EXPORTS]), leb(content.length), content);
  }
  return Buffer.concat(parts);
}

const [mode, ...others] = process.argv.slice(2);
if (mode === '--exports') {
  for (const file of others) writeFileSync(file, withoutAdded(readFileSync(file)));
  process.exit();
}

for (const file of process.argv.slice(2)) {
  const module = readFileSync(file);
  const { entries } = Spec.fromWasm(module);
  entries.forEach(silence);
  const content = Buffer.concat(entries.map((entry) => Buffer.from(entry.toXdr())));
  const name = Buffer.concat([leb(INTERFACE.length), Buffer.from(INTERFACE)]);
  const parts = [module.subarray(0, 8)];
  for (const section of sections(module)) {
    if (section.name === INTERFACE) {
      parts.push(Buffer.from([0]), leb(name.length + content.length), name, content);
    } else parts.push(module.subarray(section.from, section.to));
  }
  writeFileSync(file, Buffer.concat(parts));
}
