import type { CatalogPaymentParts } from '../../support/catalogPayment.ts';
import type { Attack, AttackTable } from '../attack.ts';
import { VICTIM_URL } from '../victim.ts';
import { catalogOutcome, type World } from '../world.ts';

/** A stranger pays itself; only the victim's entry has to stay unchanged. */
const OWN_MONEY = ['settlements', 'ledger', 'sponsor'] as const;

/** The victim's entry in the list, as text. */
async function victims(world: World): Promise<string> {
  const path = `/discovery/resources?limit=100&payTo=${world.victim.address}`;
  return (await world.service({ path })).text;
}

function pays(
  name: string,
  parts: CatalogPaymentParts,
  refused: string,
  takes: Partial<Pick<Attack<World>, 'changes'>> = {},
): Attack<World> {
  return {
    name: `pays itself one unit for ${name}`,
    refused,
    changes: [...OWN_MONEY, ...(takes.changes ?? [])],
    async run(world) {
      const before = await victims(world);
      const { stranger } = world;
      const request = await world.payment(stranger, stranger, {
        amount: 1n,
        requirements: { amount: '1' },
      });
      const declared = declarationOf(parts);
      Object.assign(request.paymentPayload, declared);
      const answered = await world.post('/settle', request);
      const { success, reason } = JSON.parse(answered.text) as {
        success: boolean;
        reason?: string;
      };
      if (!success) return `not settled: ${reason}`;
      await world.settled();
      return (await victims(world)) === before
        ? catalogOutcome(answered)
        : "the victim's entry changed";
    },
  };
}

function declarationOf(parts: CatalogPaymentParts) {
  const { url = VICTIM_URL, tool, resource, bazaar, extensions } = parts;
  const input =
    tool === undefined
      ? { type: 'http', method: 'GET', queryParams: {} }
      : { type: 'mcp', toolName: tool, inputSchema: { type: 'object' } };
  const schema = { type: 'object', properties: { input: { type: 'object' } }, required: ['input'] };
  return {
    resource: { url, ...resource },
    extensions: { bazaar: { info: { input }, schema, ...bazaar }, ...extensions },
  };
}

const template = (routeTemplate: string): CatalogPaymentParts => ({
  url: 'https://api.victim.dev/other',
  bazaar: { routeTemplate },
});

/** Strangers who want listings, origins or routes of others. */
export const SQUATTING: AttackTable<World> = {
  kind: 'squatting',
  attacks: [
    pays("the victim's URL", {}, 'binding_refused'),
    pays('it with a slash at the end', { url: `${VICTIM_URL}/` }, 'binding_refused'),
    pays('it in capitals', { url: 'HTTPS://API.VICTIM.DEV/quote' }, 'binding_refused'),
    pays('it with its port', { url: 'https://api.victim.dev:443/quote' }, 'binding_refused'),
    pays('it with a query', { url: `${VICTIM_URL}?a=1` }, 'binding_refused'),
    pays('it with a fragment', { url: `${VICTIM_URL}#mine` }, 'binding_refused'),
    pays('it behind dots', { url: 'https://api.victim.dev/x/../quote' }, 'binding_refused'),
    pays('it with two slashes', { url: 'https://api.victim.dev//quote' }, 'binding_refused'),
    pays('it behind percent signs', { url: 'https://api.victim.dev/%71uote' }, 'binding_refused'),
    pays(
      'it with a dot after the host',
      { url: 'https://api.victim.dev./quote' },
      'binding_refused',
    ),
    pays(
      'another URL of the victim’s origin',
      { url: 'https://api.victim.dev/more' },
      'unbound_payto',
    ),
    pays('the template /:a of its origin', template('/:a'), 'unbound_payto'),
    pays('the template /:a/:b of its origin', template('/:a/:b'), 'unbound_payto'),
    pays('the template /{a} of its origin', template('/{a}'), 'unbound_payto'),
    pays('a tool at the victim’s URL', { tool: 'quote' }, 'unbound_payto'),
    pays('a URL with a user in it', { url: 'https://me@api.victim.dev/quote' }, 'binding_refused'),
    pays('a URL of JavaScript', { url: 'javascript:alert(1)' }, 'schema_validation_failed'),
    pays('a URL of a file', { url: 'file:///etc/passwd' }, 'schema_validation_failed'),
    pays(
      'a URL with a line end',
      { url: 'https://api.victim.dev/quote\r\nX-A: b' },
      'schema_validation_failed',
    ),
    pays(
      'a URL of 10 kB',
      { url: `https://api.victim.dev/${'a'.repeat(10_000)}` },
      'schema_validation_failed',
    ),
  ],
};
