import { xdr } from '@stellar/stellar-sdk';
import { Hono } from 'hono';
import { parseDecimalAmount } from '../../../../common/amount.ts';
import { decodeStrKey } from '../../../../common/strKey.ts';
import type { LedgerService } from '../../close/index.ts';
import type { ForkedEntries } from '../../fork/index.ts';
import type { Friendbot } from '../../friendbot/friendbot.ts';
import { accountKeyId } from '../../state/index.ts';

/** Copies an account from the forked network before Horizon or friendbot needs it, and the entries that a submission needs. */
export function forkedAccounts(
  service: LedgerService,
  forked: ForkedEntries,
  friendbot: Friendbot,
): Hono {
  const app = new Hono();
  const { state } = service.engine;
  const takeOver = async (address: string | undefined): Promise<void> => {
    const bytes = decodeStrKey('account', address ?? '');
    if (bytes === undefined) return;
    const id = accountKeyId(xdr.PublicKey.publicKeyTypeEd25519(bytes));
    await forked.prefetch((watch) => {
      watch(() => state.peek(id));
    });
  };
  app.use('/accounts/:address/*', async (context, next) => {
    await takeOver(context.req.param('address'));
    await next();
  });
  app.use('/friendbot', async (context, next) => {
    const [address = '', usdc] = [context.req.query('addr'), context.req.query('usdc')];
    // Friendbot refuses an invalid amount without reading anything.
    const units = usdc === undefined ? undefined : parseDecimalAmount(usdc);
    await forked.prefetch((watch) => watch(() => friendbot.rehearse(address, units)));
    await next();
  });
  app.post('/transactions', async (context, next) => {
    const text = (await context.req.parseBody())['tx'];
    await forked.prefetch((watch) => {
      const envelope = xdr.TransactionEnvelope.fromXdr(String(text), 'base64');
      watch(() => service.rehearse(envelope));
    });
    await next();
  });
  return app;
}
