import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Keypair, rpc, StrKey, xdr } from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';

/** Instructions that a transaction may declare, as the ledger has it. */
async function mostInstructions(ledger: RunningLedger): Promise<bigint> {
  const id = xdr.ConfigSettingId.fromName('configSettingContractComputeV0');
  const key = xdr.LedgerKey.configSetting(
    new xdr.LedgerKeyConfigSetting({ configSettingId: id }),
  ).toXdr('base64');
  const { entries } = (await ledger.call('getLedgerEntries', { keys: [key] })) as {
    entries: { xdr: string }[];
  };
  const data = xdr.LedgerEntryData.fromXdr(entries[0]?.xdr ?? '', 'base64');
  assert.equal(data.type, 'configSetting');
  assert.equal(data.configSetting.type, 'configSettingContractComputeV0');
  return data.configSetting.contractCompute.txMaxInstructions;
}

const ONE_MORE = {
  updated_entry: [
    {
      contract_compute_v0: {
        ledger_max_instructions: '580000000',
        tx_max_instructions: '400000001',
        fee_rate_per_instructions_increment: '7',
        tx_memory_limit: 41_943_040,
      },
    },
  ],
};

describe('limits of the network', () => {
  it('are testnet’s, or those given at the start, even after a reset', async () => {
    for (const [limits, most] of [
      [undefined, 400_000_000n],
      ['unlimited', 0xffff_ffffn],
      [ONE_MORE, 400_000_001n],
    ] as const) {
      const ledger = await startLedger({ port: null, ...(limits ? { limits } : {}) });
      assert.equal(await mostInstructions(ledger), most);
      await ledger.control('svc_setSettings', { limits: 'testnet' });
      assert.equal(await mostInstructions(ledger), 400_000_000n);
      await ledger.control('svc_reset');
      assert.equal(await mostInstructions(ledger), most);
      await ledger.close();
    }
  });

  it('that no network can have are refused', async () => {
    const ledger = await startLedger({ port: null });
    const refused = [
      [undefined, /limits must be testnet, unlimited/],
      [{ updated_entry: [{ nonsense: 1 }] }, /updated_entry contains an invalid setting/],
      [{ updated_entry: [{ contract_max_size_bytes: 1 }] }, /ContractMaxSizeBytes is outside/],
      [{ updated_entry: [{ live_soroban_state_size_window: ['1'] }] }, /cannot be set/],
    ] as const;
    for (const [limits, words] of refused) {
      const params = { limits } as unknown as { limits: 'testnet' };
      await assert.rejects(ledger.control('svc_setSettings', params), { code: -32_602 });
      await assert.rejects(ledger.control('svc_setSettings', params), words);
    }
    assert.equal(await mostInstructions(ledger), 400_000_000n);
    await ledger.close();
    const bad = startLedger({ port: null, limits: { updated_entry: [{ nonsense: 1 }] } });
    await assert.rejects(bad, { code: 'BAD_LIMITS' });
  });
});

describe('svc_expireEntry', () => {
  it('expires a contract entry', async () => {
    const ledger = await startLedger({ port: 0 });
    const server = new rpc.Server(ledger.urls?.rpc ?? '', { allowHttp: true });
    const holder = StrKey.encodeContract(Keypair.random().rawPublicKey());
    const asset = `USDC:${ledger.accounts.usdcIssuer}`;
    await ledger.control('svc_setBalance', { account: holder, asset, amount: '3' });
    const balance = xdr.LedgerKey.contractData(
      new xdr.LedgerKeyContractData({
        contract: xdr.ScAddress.scAddressTypeContract(
          new xdr.ContractId(StrKey.decodeContract(ledger.accounts.usdcContract)),
        ),
        key: xdr.ScVal.scvVec([
          xdr.ScVal.scvSymbol('Balance'),
          xdr.ScVal.scvAddress(
            xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(StrKey.decodeContract(holder))),
          ),
        ]),
        durability: xdr.ContractDataDurability.persistent,
      }),
    );
    const life = async () => {
      const { entries, latestLedger } = await server.getLedgerEntries(balance);
      return (entries[0]?.liveUntilLedgerSeq ?? 0) - latestLedger;
    };
    assert.ok((await life()) > 0);
    const key = balance.toXdr('base64');
    const { ledger: closed } = await ledger.control('svc_expireEntry', { key });
    assert.equal((await server.getLatestLedger()).sequence, closed);
    assert.ok((await life()) < 0);
    await assert.rejects(ledger.control('svc_expireEntry', { key }), { code: -32_602 });
    const account = xdr.LedgerKey.account(
      new xdr.LedgerKeyAccount({
        accountId: xdr.PublicKey.publicKeyTypeEd25519(
          Keypair.fromPublicKey(ledger.accounts.usdcIssuer).rawPublicKey(),
        ),
      }),
    );
    await assert.rejects(
      ledger.control('svc_expireEntry', { key: account.toXdr('base64') }),
      /only contract entries expire/,
    );
    await ledger.close();
  });
});
