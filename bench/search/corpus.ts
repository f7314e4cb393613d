import type { SearchDocument } from '../../src/server/search/index.ts';
import { labelledEntries, searchDocument } from '../../test/support/searchDocuments.ts';

const SEED = 402;

const BRANDS = (
  'aero agri alpha amber apex arc argo astro atlas aura axon azure beacon blue bolt brick bright buzz ' +
  'calm cedar chroma cirrus clear cloud cobalt coral core cosmo crisp cube data delta deep dune echo ' +
  'ember epic evo fable falcon fern fjord flare flow flux forge fox fresh frost fuse gale gamma gem ' +
  'glide globe grid halo harbor hawk helio hive hyper indigo ion iris jade jet juno karma keen kite ' +
  'lark lava leaf lens lime loft loop luma lunar lynx magna maple mega mesa meta mint mono nano neo ' +
  'nest nimbus nova oak oasis omni onyx open orbit owl palm peak pearl pilot pine pixel polar prime ' +
  'pulse quartz quick quill radar rapid raven reef ridge river rocket sage scout sierra sky solar ' +
  'sonic spark spruce star steel stone storm sun swift tidal tiger titan topaz trail true tundra ' +
  'ultra urban vector velvet vista vivid volt wave west willow wind wolf zen zephyr zinc'
).split(' ');
const ENDINGS = 'ly io hub lab kit box bit base desk feed flow link mind point wise works'.split(
  ' ',
);
const PLACES = (
  'Amsterdam Athens Bangkok Berlin Bogota Boston Brussels Cairo Chicago Copenhagen Delhi Denver Dubai ' +
  'Dublin Geneva Hanoi Helsinki Istanbul Jakarta Kyoto Lagos Lima Lisbon London Madrid Manila Miami ' +
  'Milan Montreal Mumbai Nairobi Oslo Paris Porto Prague Rome Santiago Seoul Shanghai Singapore ' +
  'Stockholm Sydney Taipei Tokyo Toronto Vienna Warsaw Zurich'
).split(' ');
const PROMISES = [
  'No account needed.',
  'Pay per call in USDC.',
  'Answers within 200 ms.',
  'Cached for five minutes.',
  'JSON and CSV.',
  'Built for agents.',
  'Up to 100 items a call.',
  'Updated hourly.',
  'Free of ads.',
  'Covers 190 countries.',
];

/**
 * Entries as sellers write them, deterministic for a number: parts of the labelled entries in new combinations, under other
 * names, with an occasional place or promise.
 */
export function* corpus(count: number): Generator<SearchDocument> {
  const models = labelledEntries();
  let state = SEED;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 8) / 2 ** 24) * limit);
  };
  const one = <T>(of: readonly T[]): T => {
    const found = of[below(of.length)];
    if (found === undefined) throw new Error('none to choose from');
    return found;
  };
  const sellers = Math.max(10, Math.floor(count / 10));
  for (let n = 1; n <= count; n += 1) {
    const model = one(models);
    const other = one(models);
    const brand = `${one(BRANDS)}${one(ENDINGS)}`;
    const [tag = 'api'] = model.tags;
    const sentences = [
      ...(model.description ?? '').split(/(?<=\.) /),
      ...(below(3) === 0 ? [(other.description ?? '').split(/(?<=\.) /)[0] ?? ''] : []),
      ...(below(3) === 0 ? [`For ${one(PLACES)} and ${one(PLACES)}.`] : []),
      ...(below(2) === 0 ? [one(PROMISES)] : []),
    ];
    yield searchDocument(`r${n}`, n, {
      url: `https://${brand}.test/${tag}/${below(10) === 0 ? '{id}' : `v${1 + below(3)}`}`,
      serviceName: `${brand[0]?.toUpperCase()}${brand.slice(1)} ${below(2) ? tag : (model.serviceName ?? '')}`,
      tags: [...new Set([...model.tags, ...(below(3) === 0 ? other.tags.slice(0, 1) : [])])],
      description: sentences.join(' ').slice(0, 256),
      schemaText: model.schemaText,
      // Few of them get many payments.
      settlements: Math.floor(2 ** (below(1_000) / 90)),
      uniquePayers: Math.floor(2 ** (below(1_000) / 130)),
      fields: {
        type: below(8) === 0 ? 'mcp' : 'http',
        payTo: [`G${below(sellers)}`],
        scheme: below(6) === 0 ? ['exact', 'upto'] : ['exact'],
        network: ['stellar:testnet'],
        extensions: ['bazaar'],
      },
    });
  }
}
