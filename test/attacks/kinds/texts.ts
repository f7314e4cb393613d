import { isLookAlike } from '../../../src/protocol/index.ts';
import { agentReads } from '../agent.ts';
import type { Attack, AttackTable } from '../attack.ts';
import { catalogOutcome, type World } from '../world.ts';

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cs}\p{Co}\u2800]/u;
const HELD = 'listed, without it';

interface Said {
  readonly serviceName?: unknown;
  readonly description?: unknown;
  readonly tags?: unknown;
}

interface Entry {
  readonly resource: string;
  readonly serviceName?: string;
  readonly tags?: readonly string[];
}

let listings = 0;

/** Has a stranger list a resource with a text, and looks wherever people and agents read it. */
function lists(name: string, said: Said): Attack<World> {
  return {
    name: `a listing with ${name}`,
    refused: HELD,
    changes: ['catalog', 'settlements', 'ledger', 'sponsor'],
    async run(world) {
      listings += 1;
      const url = `https://api.squatter.dev/texts/${listings}`;
      const request = await world.payment(world.stranger, world.stranger);
      const input = { type: 'http', method: 'GET', queryParams: { q: said.description ?? '' } };
      Object.assign(request.paymentPayload, {
        resource: { url, ...said },
        extensions: { bazaar: { info: { input }, schema: { type: 'object' } } },
      });
      const answered = await world.post('/settle', request);
      const outcome = catalogOutcome(answered);
      if (outcome !== 'cataloged') return outcome;
      const list = await world.service({ path: '/discovery/resources?limit=100' });
      const feed = await world.service({ path: '/discovery/feed.json' });
      const described = await world.service({ path: '/discovery/openapi.json' });
      const agent = await agentReads(world, world.parts.facilitator);
      // JSON may spell a character out; what counts is what a reader of the JSON gets.
      const read = [list, feed, described].map(({ text }) => JSON.stringify(JSON.parse(text)));
      if ([...read, agent.text].some((text) => UNSEEN.test(text))) return 'unseen text is there';
      if (/\\ud[89a-f]/i.test(read.join())) return 'a lone surrogate is there';
      const { items } = JSON.parse(list.text) as { items: readonly Entry[] };
      const entry = items.find(({ resource }) => resource === url);
      if (entry === undefined) return 'not listed';
      // As a tag the plain word says what is sold for.
      const tags = (entry.tags ?? []).filter((tag) => tag.toLowerCase() !== 'usdc');
      const names = [entry.serviceName ?? '', ...tags];
      return names.some(isLookAlike) ? `named ${names.join()}` : HELD;
    },
  };
}

const everywhere = (text: string): Said => ({
  serviceName: `Quo${text}tes`,
  description: `Quo${text}tes of the day`,
  tags: [`quo${text}tes`],
});

const named = (text: string): Said => ({ serviceName: text, tags: [text], description: 'Quotes' });

/** Texts that strangers want before an agent or a person. */
export const TEXTS: AttackTable<World> = {
  kind: 'texts',
  attacks: [
    lists('orders in tag characters (U+E0041 …)', everywhere('\u{e0041}\u{e0042}\u{e007f}')),
    lists('variation selectors (U+E0100)', everywhere('\u{e0100}\u{e01ef}\ufe0f')),
    lists('bidirectional overrides and isolates', everywhere('\u202e\u2066\u2069\u061c')),
    lists('zero-width characters', everywhere('\u200b\u200c\u200d\u2060\ufeff')),
    lists('Hangul fillers', everywhere('\u3164\u115f\u1160\uffa0')),
    lists('Braille blanks (U+2800)', everywhere('\u2800')),
    lists('other letters that are drawn as nothing', everywhere('\u034f\u17b4\u180b\u180e')),
    lists('lone surrogates', everywhere('\ud800')),
    lists('surrogates in the wrong order', everywhere('\udc00\ud800')),
    lists('private use', everywhere('\ue000\u{f0000}')),
    lists('line ends and terminal escapes', everywhere('\r\n\u2028\u0085\u001b[2J')),
    lists('text that grows eighteenfold under normalization', everywhere('\ufdfa'.repeat(1_000))),
    lists('a thousand marks on one letter', everywhere('\u0301'.repeat(1_000))),
    lists('the name USDC', named('USDC')),
    lists('the name of USDC in Cyrillic', named('USD\u0421')),
    lists('the name U5DC', named('U5DC')),
    lists('the name U.S.D.C', named('U.S.D.C')),
    lists(
      'the address of USDC’s issuer as its name',
      named('GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'),
    ),
    lists('a shortened address as its name', named('GBBD47IF...3ZLLFLA5')),
    lists(
      'an address with a one for an I as its name',
      named('GBBD471F6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'),
    ),
  ],
};
