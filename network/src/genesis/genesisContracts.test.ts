import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { encodeStrKey } from '../../../common/strKey.ts';
import { newHost } from '../../test/helpers/testHost.ts';
import { LedgerEngine } from '../close/index.ts';
import { contractModules } from '../openNetwork.ts';
import { ledgerKeyId, ttlKeyId } from '../state/index.ts';
import {
  GENESIS_CONTRACTS,
  GENESIS_MODULES,
  type GenesisContractName,
  type GenesisModuleName,
  genesisContractEntries,
  genesisContractId,
  genesisKeys,
  genesisState,
  instanceKey,
  networkIdOf,
} from './index.ts';

const networkId = networkIdOf('Test SDF Network ; September 2015');
const keys = genesisKeys(networkId, 'a seed');
const modules = contractModules();
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

describe('the contracts of genesis', () => {
  const state = genesisState(27, networkId, keys, modules);
  let engine: LedgerEngine;

  before(async () => {
    const host = await newHost(27);
    const recorded = { classicEvents: true, diagnostics: false, resourceFeeMeta: false };
    engine = new LedgerEngine(genesisState(27, networkId, keys), { networkId, host, ...recorded });
  });

  /** The entries that a host function of the root account writes on a network that has none of the contracts. */
  function writtenBy(hostFunction: xdr.HostFunction, uploaded: readonly xdr.LedgerEntryData[]) {
    const entry = (data: xdr.LedgerEntryData) =>
      new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data, ext: xdr.LedgerEntryExt.v0() });
    const { host } = engine.environment();
    const outcome = host.simulateInvoke({
      ledger: { sequence: 1, closeTime: 0n },
      hostFunction: hostFunction.toXdr(),
      sourceAccount: keys.root.publicKey.toXdr(),
      auth: { mode: 'record', allowNonRoot: false, addressV2: false },
      prngSeed: new Uint8Array(32),
      instructionLeeway: 0,
      diagnostics: false,
      read: (bytes) => {
        const key = xdr.LedgerKey.fromXdr(bytes);
        const code = uploaded.find(
          (data) => data.type === 'contractCode' && key.type === 'contractCode',
        );
        const found = code === undefined ? engine.state.peek(ledgerKeyId(key)) : entry(code);
        if (found === undefined) return null;
        return { entry: found.toXdr(), liveUntil: code === undefined ? null : 1_000_000 };
      },
    });
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.error.message);
    return outcome.stateChanges.flatMap(({ after }) =>
      after === null ? [] : xdr.LedgerEntry.fromXdr(after).data.toXdr('base64'),
    );
  }

  const writtenFor = (name: GenesisModuleName) => {
    const wasm = modules[name];
    assert.ok(wasm);
    const entries = genesisContractEntries(networkId, keys.root.publicKey, { [name]: wasm });
    const [code, instance] = entries;
    assert.ok(code);
    return { wasm, code, instance };
  };

  for (const name of GENESIS_MODULES) {
    it(`have the code that the host writes when somebody uploads it: ${name}`, () => {
      const { wasm, code } = writtenFor(name);
      const upload = xdr.HostFunction.hostFunctionTypeUploadContractWasm(wasm);
      assert.deepEqual(writtenBy(upload, []), [code.toXdr('base64')]);
      const key = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: sha256(wasm) }));
      const ttl = state.peek(ttlKeyId(ledgerKeyId(key)));
      assert.ok(ttl?.data.type === 'ttl');
      assert.equal(ttl.data.ttl.liveUntilLedgerSeq, 3_110_400);
    });
  }

  it('are deployed but for the channel, which others deploy', () => {
    const deployed = GENESIS_MODULES.filter((name) => writtenFor(name).instance !== undefined);
    assert.deepEqual(deployed, GENESIS_CONTRACTS);
  });

  for (const name of GENESIS_CONTRACTS) {
    it(`equal what the host writes when somebody deploys them: ${name}`, () => {
      const { wasm, code, instance } = writtenFor(name);
      assert.ok(instance);
      const create = xdr.HostFunction.hostFunctionTypeCreateContract(
        new xdr.CreateContractArgs({
          contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
            new xdr.ContractIdPreimageFromAddress({
              address: xdr.ScAddress.scAddressTypeAccount(keys.root.publicKey),
              salt: sha256(Buffer.from(`svc-x402 ${name}`)),
            }),
          ),
          executable: xdr.ContractExecutable.contractExecutableWasm(sha256(wasm)),
        }),
      );
      assert.deepEqual(writtenBy(create, [code]), [instance.toXdr('base64')]);
    });

    it(`live as long as the network lets them: ${name}`, () => {
      const id = ledgerKeyId(instanceKey(genesisContractId(networkId, keys.root.publicKey, name)));
      const ttl = state.peek(ttlKeyId(id));
      assert.ok(ttl?.data.type === 'ttl');
      assert.equal(ttl.data.ttl.liveUntilLedgerSeq, 3_110_400);
    });
  }

  it('have ids that follow from the passphrase alone', () => {
    const idOf = (name: GenesisContractName, seed: string) => {
      const { root } = genesisKeys(networkId, seed);
      return encodeStrKey('contract', genesisContractId(networkId, root.publicKey, name).value);
    };
    assert.equal(idOf('upto', 'one'), idOf('upto', 'two'));
    assert.equal(idOf('channel-opener', 'one'), idOf('channel-opener', 'two'));
    assert.equal(idOf('upto', 'one'), 'CDPETPFJXCBHIMGQERUKCWER6ISYW565DQQT3GER7VSLOUHG5IMGUVZ6');
  });
});
