import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { type ContractAddress, TESTNET_PASSPHRASE } from '../../src/protocol/index.ts';
import { contractAddressOf, toScAddress } from '../../src/protocol/stellar/index.ts';
import { submitSoroban } from './accounts.ts';
import type { LocalNetwork } from './localStack.ts';
import type { TestKey } from './payer.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

function section(id: number, ...content: (number | Uint8Array)[]): Buffer {
  const body = Buffer.concat(content.map((c) => (typeof c === 'number' ? Buffer.of(c) : c)));
  return Buffer.concat([Buffer.of(id, body.length), body]);
}

function name(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
}

/** A 64-bit constant as WebAssembly writes it. */
function signedLeb128(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const last = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
    bytes.push(last ? low : low | 0x80);
    if (last) return Buffer.from(bytes);
  }
}

/** What `__check_auth` answers: a Soroban value in 64 bits (CAP-46-01). */
const ANSWERS = {
  /** Void: the account authorizes everything it is asked to. */
  allows: 2n,
  /** Error(Contract, #1): as a spending policy refuses. */
  refuses: (1n << 32n) | 3n,
} as const;

/** The smallest contract that is an account: one function that gives one answer. */
function accountWasm(answer: bigint): Buffer {
  const I64 = 0x7e;
  const meta = Buffer.alloc(12);
  meta.writeUInt32BE(22, 4);
  return Buffer.concat([
    Buffer.from('0061736d01000000', 'hex'),
    section(1, 1, 0x60, 3, I64, I64, I64, 1, I64),
    section(3, 1, 0),
    section(7, 1, name('__check_auth'), 0, 0),
    section(
      10,
      1,
      ...codeOf(Buffer.concat([Buffer.of(0, 0x42), signedLeb128(answer), Buffer.of(0x0b)])),
    ),
    section(0, name('contractenvmetav0'), meta),
  ]);
}

function codeOf(body: Buffer): [number, Buffer] {
  return [body.length, body];
}

/** Deploys a smart account that allows every payment, or refuses every one. */
export async function deploySmartAccount(
  local: LocalNetwork,
  deployer: TestKey,
  behaviour: keyof typeof ANSWERS,
): Promise<ContractAddress> {
  const wasm = accountWasm(ANSWERS[behaviour]);
  await submitSoroban(local, deployer, xdr.HostFunction.hostFunctionTypeUploadContractWasm(wasm));
  const preimage = xdr.ContractIdPreimage.contractIdPreimageFromAddress(
    new xdr.ContractIdPreimageFromAddress({
      address: toScAddress(deployer.address),
      salt: sha256(Buffer.from(behaviour)),
    }),
  );
  await submitSoroban(
    local,
    deployer,
    xdr.HostFunction.hostFunctionTypeCreateContract(
      new xdr.CreateContractArgs({
        contractIdPreimage: preimage,
        executable: xdr.ContractExecutable.contractExecutableWasm(sha256(wasm)),
      }),
    ),
  );
  const id = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: sha256(Buffer.from(TESTNET_PASSPHRASE)),
      contractIdPreimage: preimage,
    }),
  );
  return contractAddressOf(sha256(id.toXdr()));
}
