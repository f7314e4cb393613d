import type { Database } from '../../src/server/store/index.ts';

type Row = Readonly<Record<string, string | number | bigint | null>>;

/** The settlements that a store had at one moment, as a backup keeps them. */
export class JournalSnapshot {
  readonly #rows: readonly Row[];

  private constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  static async of(store: Database): Promise<JournalSnapshot> {
    return new JournalSnapshot(await store.all<Row>('SELECT * FROM settlements'));
  }

  /** Writes them into an empty store. */
  async restore(store: Database): Promise<void> {
    for (const row of this.#rows) {
      const names = Object.keys(row);
      const places = names.map(() => '?').join(', ');
      await store.run(
        `INSERT INTO settlements (${names.join(', ')}) VALUES (${places})`,
        Object.values(row),
      );
    }
  }
}
