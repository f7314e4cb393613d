import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { OTHER_ASSET, PAYER } from '../../../../../test/support/payment.ts';
import { ownToken, toldLedger } from '../../../../../test/support/toldLedger.ts';
import { ConfigError } from '../../../configError.ts';
import { requireUptoContract } from './requireUptoContract.ts';

const { network, close } = await toldLedger({ entries: [ownToken(OTHER_ASSET)] });
const { network: empty, close: closeEmpty } = await toldLedger({});
after(() => Promise.all([close(), closeEmpty()]));

/** What the operator reads. */
const complaint = (words: RegExp) => (error: unknown) =>
  error instanceof ConfigError && words.test(error.message);

describe('The operator’s contract for upto (UPTO_CONTRACT_ID)', () => {
  it('is the configured one, if the network has it', async () => {
    assert.equal(await requireUptoContract(OTHER_ASSET, network), OTHER_ASSET);
  });

  it('is none without the setting: then upto is not served', async () => {
    assert.equal(await requireUptoContract(null, empty), undefined);
  });

  it('stops the start if it is not a contract’s address', async () => {
    for (const id of ['', PAYER.address, OTHER_ASSET.replace(/.$/, '2')]) {
      const said = complaint(/UPTO_CONTRACT_ID is not a contract address/);
      await assert.rejects(requireUptoContract(id, network), said, id);
    }
  });

  it('stops the start if the network does not have it, with what to do', async () => {
    const said = complaint(new RegExp(`${OTHER_ASSET} is not on the network.*unset`, 's'));
    await assert.rejects(requireUptoContract(OTHER_ASSET, empty), said);
  });
});
