import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { OTHER_ASSET } from '../../test/support/payment.ts';
import { ownToken, toldLedger } from '../../test/support/toldLedger.ts';
import { schemesAfterReset } from './refund.ts';

const { network, close } = await toldLedger({ entries: [ownToken(OTHER_ASSET)] });
const { network: empty, close: closeEmpty } = await toldLedger({});
after(() => Promise.all([close(), closeEmpty()]));

describe('The schemes of a service whose network started again', () => {
  const config: { readonly uptoContractId: string | null } = { uptoContractId: OTHER_ASSET };
  const errors: string[] = [];
  const quiet = () => undefined;
  const logger = {
    ...{ debug: quiet, info: quiet, warn: quiet },
    error: (_: object, text: string) => errors.push(text),
  };

  it('include upto if its contract is deployed there', async () => {
    assert.equal(await schemesAfterReset(config, network, logger), config);
    assert.deepEqual(errors, []);
  });

  it('are only exact without that contract, which the log says', async () => {
    const { uptoContractId } = await schemesAfterReset(config, empty, logger);
    assert.equal(uptoContractId, null);
    assert.match(errors.join(), /upto contract is not on the new network: only exact is served/);
  });

  it('are unchanged without upto', async () => {
    const exact = { uptoContractId: null };
    assert.equal(await schemesAfterReset(exact, empty, logger), exact);
  });
});
