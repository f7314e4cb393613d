import type { HttpTransport } from '../../sdk/exact/index.ts';
import { readSettlements, type Settlement } from './readSettlements.ts';

const PAGE = 200;
const MOST = 1_000;

/** An address's settlements, newest first, as far back as this editor has read. */
export interface History {
  readonly settlements: readonly Settlement[];
  /** True if the list goes back to the first settlement. */
  readonly complete: boolean;
}

/** Reads the history of an address, at most 1,000 settlements; after the first time, only new ones. */
export class SettlementHistory {
  #of = '';
  #known: History = { settlements: [], complete: false };

  /** @throws ReadError */
  async read(
    horizonUrl: string,
    address: string,
    transport: HttpTransport,
    signal?: AbortSignal,
  ): Promise<History> {
    const of = `${horizonUrl} ${address}`;
    const known = of === this.#of ? this.#known : undefined;
    const newest = known?.settlements[0]?.id;
    const fresh: Settlement[] = [];
    let cursor: string | undefined;
    do {
      const options = { cursor, signal };
      const page = await readSettlements(horizonUrl, address, PAGE, transport, options);
      const met = page.settlements.findIndex(({ id }) => id === newest);
      if (known !== undefined && met >= 0) {
        const settlements = [...fresh, ...page.settlements.slice(0, met), ...known.settlements];
        return this.#keep(of, settlements, known.complete);
      }
      fresh.push(...page.settlements);
      cursor = page.cursor;
    } while (cursor !== undefined && fresh.length < MOST);
    return this.#keep(of, fresh, cursor === undefined);
  }

  #keep(of: string, settlements: readonly Settlement[], complete: boolean): History {
    this.#of = of;
    this.#known = {
      settlements: settlements.slice(0, MOST),
      complete: complete && settlements.length <= MOST,
    };
    return this.#known;
  }
}
