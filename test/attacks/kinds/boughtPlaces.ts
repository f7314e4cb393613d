import { openPayer } from '../../support/accounts.ts';
import type { CatalogPaymentParts } from '../../support/catalogPayment.ts';
import type { TestKey } from '../../support/payer.ts';
import type { AttackTable } from '../attack.ts';
import { catalogOutcome, type World } from '../world.ts';

/** The honest listing that the strangers want to be found before. */
const FORECAST_URL = 'https://api.victim.dev/forecast';
const DESCRIPTION = 'Weather forecast for a city, with temperature and rain by the hour';
const QUERY = 'weather';
const PAYERS = 3;

const OWN_MONEY = ['catalog', 'settlements', 'ledger', 'sponsor'] as const;

const opened = new WeakMap<World, Promise<void>>();
let listings = 0;

/** Lists something, and resolves when the search has it. @returns what the catalog did */
async function list(
  world: World,
  payer: TestKey,
  payTo: TestKey,
  parts: CatalogPaymentParts,
  amount = 1n,
): Promise<string> {
  const { url = '', resource } = parts;
  const request = await world.payment(payer, payTo, {
    amount,
    requirements: { amount: `${amount}` },
  });
  const input = { type: 'http', method: 'GET', queryParams: { city: 'Oslo' } };
  Object.assign(request.paymentPayload, {
    resource: { url, ...resource },
    extensions: { bazaar: { info: { input }, schema: { type: 'object' } } },
  });
  const answered = await world.post('/settle', request, world.newClient());
  const { success } = JSON.parse(answered.text) as { success: boolean };
  if (!success) throw new Error(`the listing of ${url}: ${answered.text}`);
  return catalogOutcome(answered);
}

/** The honest listing, which several buyers have paid for. */
function forecast(world: World): Promise<void> {
  const known = opened.get(world);
  if (known !== undefined) return known;
  const opening = (async () => {
    const payers = await Promise.all(Array.from({ length: PAYERS }, () => openPayer(world.local)));
    const paid = { url: FORECAST_URL, resource: { description: DESCRIPTION } };
    for (const payer of [world.buyer, ...payers]) {
      const outcome = await list(world, payer, world.victim, paid, 100_000n);
      if (outcome !== 'cataloged') throw new Error(`the honest listing: ${outcome}`);
    }
    await world.settled();
  })();
  opened.set(world, opening);
  return opening;
}

/** Who is first in the results. `test/catalog/boughtPlaces.test.ts` judges the other places. */
async function first(world: World): Promise<string> {
  const { text } = await world.service({
    path: `/discovery/search?query=${encodeURIComponent(QUERY)}`,
    headers: world.newClient(),
  });
  const { resources } = JSON.parse(text) as { resources: readonly { resource: string }[] };
  const url = resources[0]?.resource;
  return url === FORECAST_URL ? HELD : `first is ${url}`;
}

const HELD = 'the honest one is first';

/** A listing of the stranger's under a URL that nobody has used. */
function own(description: string, path = 'weather'): CatalogPaymentParts {
  listings += 1;
  return { url: `https://s${listings}.squatter.dev/${path}`, resource: { description } };
}

async function listAndLook(
  world: World,
  parts: readonly CatalogPaymentParts[],
  payers: readonly TestKey[] = [world.stranger],
): Promise<string> {
  await forecast(world);
  for (const one of parts) {
    for (const payer of payers) await list(world, payer, world.stranger, one);
  }
  await world.settled();
  return first(world);
}

const STUFFED = `${'weather '.repeat(40)}forecast forecast forecast best cheapest number one`;

/** Listings whose texts repeat a word. */
export const STUFFED_LISTINGS: AttackTable<World> = {
  kind: 'stuffed listings',
  attacks: [
    {
      name: 'a word forty times in the description',
      refused: HELD,
      changes: OWN_MONEY,
      run: (world) => listAndLook(world, [own(STUFFED)]),
    },
    {
      name: 'a word in each part of the path',
      refused: HELD,
      changes: OWN_MONEY,
      run: (world) => listAndLook(world, [own('', 'weather/weather-weather/weather.weather')]),
    },
    {
      name: 'a word with invisible characters in it, and in six languages',
      refused: HELD,
      changes: OWN_MONEY,
      run: (world) =>
        listAndLook(world, [
          own('wea\u200bther weath\u2060er Wetter tiempo météo 天气 मौसम weather'),
        ]),
    },
  ],
};

/** Listings with the text of another seller's. */
export const COPIED_LISTINGS: AttackTable<World> = {
  kind: 'copied listings',
  attacks: [
    {
      name: 'the honest description under four URLs of one seller',
      refused: HELD,
      changes: OWN_MONEY,
      run: (world) =>
        listAndLook(
          world,
          Array.from({ length: 4 }, () => own(DESCRIPTION, 'forecast')),
        ),
    },
    {
      name: 'the honest description with another word at its end',
      refused: HELD,
      changes: OWN_MONEY,
      run: (world) => listAndLook(world, [own(`${DESCRIPTION}, best`, 'forecast')]),
    },
  ],
};

const sybils = new WeakMap<World, Promise<TestKey[]>>();

/** Payers of the stranger's own, who have paid nobody else. */
function sybilsOf(world: World): Promise<TestKey[]> {
  const known =
    sybils.get(world) ??
    Promise.all(Array.from({ length: 6 }, () => openPayer(world.local, 10_000n)));
  sybils.set(world, known);
  return known;
}

/** Payers that belong to the seller whom they pay. */
export const SYBILS: AttackTable<World> = {
  kind: 'sybils',
  attacks: [
    {
      name: 'six payers of its own pay one unit each for a copy of the honest listing',
      refused: HELD,
      changes: OWN_MONEY,
      run: async (world) =>
        listAndLook(world, [own(DESCRIPTION, 'forecast')], await sybilsOf(world)),
    },
  ],
};
