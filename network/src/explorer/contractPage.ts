import type { xdr } from '@stellar/stellar-sdk';
import { decodeStrKey } from '../../../common/strKey.ts';
import { oneLine } from '../../../common/visibleText.ts';
import type { LedgerState } from '../state/index.ts';
import {
  type ContractInterface,
  contractBook,
  findCode,
  findInstance,
  type KnownContract,
  type NamedType,
  TextRoom,
  typeText,
  valueText,
} from '../trace/index.ts';

/** Maximum number of functions, of types and of errors that are shown. */
const MOST = 200;
/** Maximum number of characters in a name or the text of a type. */
const MAX_NAME = 200;
/** Maximum number of parts of a type that are shown. */
const MAX_PARTS = 50;
const MAX_TEXT = 60_000;

/** The data of a contract's page. */
export interface ContractPage {
  /** `C…` */
  readonly id: string;
  /** Null if it has no name. */
  readonly name: string | null;
  /** The last closed ledger. */
  readonly ledger: number;
  /** `asset` for a Stellar Asset Contract, which has no code of its own. */
  readonly kind: 'wasm' | 'asset';
  /** SHA-256 in hex; null for asset contracts. */
  readonly codeHash: string | null;
  /** Size of the code in bytes; null for asset contracts, and if the code does not exist. */
  readonly codeBytes: number | null;
  /** The last ledger in which the code is live; null if it is archived or does not exist. */
  readonly codeLiveUntilLedger: number | null;
  /** The last ledger in which the contract's instance is live; null if it is archived. */
  readonly liveUntilLedger: number | null;
  /** What the instance itself stores. */
  readonly instance: readonly { readonly key: string; readonly value: string }[];
  readonly functions: readonly ShownFunction[];
  readonly types: readonly { readonly name: string; readonly text: string }[];
  readonly errors: readonly {
    readonly number: number;
    readonly name: string;
    readonly doc: string;
  }[];
}

interface ShownFunction {
  readonly name: string;
  readonly inputs: readonly { readonly name: string; readonly type: string }[];
  /** As in Rust; `()` if there is none. */
  readonly result: string;
}

/** Returns the page of a contract; undefined if it does not exist. */
export function contractPage(state: LedgerState, id: string): ContractPage | undefined {
  const bytes = decodeStrKey('contract', id);
  const found = bytes && findInstance(state, bytes);
  if (found === undefined) return undefined;
  const { executable, storage } = found.instance;
  const hash = executable.type === 'contractExecutableWasm' ? executable.wasmHash.value : undefined;
  const code = hash && findCode(state, hash);
  const known = contractBook(state)(id);
  const room = new TextRoom(MAX_TEXT);
  return {
    id,
    name: known.name,
    ledger: state.header.ledgerSeq,
    kind: hash === undefined ? 'asset' : 'wasm',
    codeHash: hash === undefined ? null : Buffer.from(hash).toString('hex'),
    codeBytes: code?.code.length ?? null,
    codeLiveUntilLedger: code?.liveUntil || null,
    liveUntilLedger: found.liveUntil || null,
    instance: (storage ?? []).slice(0, MOST).map(({ key, val }) => ({
      key: valueText(key, room),
      value: valueText(val, room),
    })),
    functions: shownFunctions(known),
    types: [...known.interface.types].slice(0, MOST).map(([name, type]) => ({
      name: shown(name),
      text: shapeText(type),
    })),
    errors: [...known.interface.errors].slice(0, MOST).map(([number, { name, doc }]) => ({
      number,
      name: shown(name),
      doc: shown(doc),
    })),
  };
}

/** Functions that a transaction can call: not those whose name is not a symbol, nor those reserved for the host. */
function shownFunctions({ interface: { functions, results } }: KnownContract): ShownFunction[] {
  return callableFunctions(functions)
    .slice(0, MOST)
    .map(([name, inputs]) => {
      const result = results.get(name);
      return {
        name,
        inputs: inputs.slice(0, MAX_PARTS).map((input) => ({
          name: shown(input.name),
          type: shown(typeText(input.type)),
        })),
        result: result === undefined ? '()' : shown(typeText(result)),
      };
    });
}

/** The functions of a contract that a transaction can call, with their inputs. */
export function callableFunctions(
  functions: ContractInterface['functions'],
): (readonly [string, readonly { readonly name: string; readonly type: xdr.ScSpecTypeDef }[]])[] {
  return [...functions].filter(([name]) => /^\w{1,32}$/.test(name) && !name.startsWith('__'));
}

function shapeText(type: NamedType): string {
  switch (type.kind) {
    case 'struct': {
      const fields = type.fields.map(({ name, type: of }) => `${name}: ${typeText(of)}`);
      return listText('struct {', fields, '}');
    }
    case 'union': {
      const cases = [...type.cases].map(([name, types]) =>
        types.length === 0 ? name : `${name}(${types.map((one) => typeText(one)).join(', ')})`,
      );
      return listText('enum {', cases, '}');
    }
    case 'enum': {
      const cases = [...type.cases].map(([number, name]) => `${name} = ${number}`);
      return listText('enum {', cases, '}');
    }
  }
}

function listText(open: string, parts: readonly string[], close: string): string {
  const texts = parts.slice(0, MAX_PARTS).map(shown);
  if (parts.length > MAX_PARTS) texts.push('…');
  return `${open} ${texts.join(', ')} ${close}`;
}

/** A text from the contract's author, made safe to show. */
function shown(text: string): string {
  return oneLine(text.slice(0, MAX_NAME));
}
