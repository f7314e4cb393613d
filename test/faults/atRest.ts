import { openStore } from '../../src/server/store/index.ts';

/** What `/health` reports of the work in hand. */
export interface Health {
  readonly channels: { readonly total: number; readonly free: number };
  readonly sponsor: { readonly reserved: string };
}

/** The health of an instance. One that isn't running counts as holding all its channels. */
export async function healthOf(url: string | undefined): Promise<Health> {
  if (url === undefined) return { channels: { total: 50, free: 0 }, sponsor: { reserved: '0' } };
  return (await (await fetch(`${url}/health`)).json()) as Health;
}

/** Settlements that the journal has as unfinished, and channels that somebody holds. */
export async function leftInStore(databaseUrl: string | null, dataFolder: string | null) {
  const database = await openStore({ databaseUrl, dataFolder });
  try {
    const [open] = await database.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM settlements
       WHERE state IN ('claimed', 'submitting') OR catalog = 'due'`,
    );
    const [leased] = await database.all<{ n: number }>(
      'SELECT COUNT(*) AS n FROM channels WHERE holder IS NOT NULL',
    );
    return { open: Number(open?.n ?? 0), leased: Number(leased?.n ?? 0) };
  } finally {
    await database.close();
  }
}
