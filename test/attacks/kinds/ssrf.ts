import {
  ADDRESSES_V4,
  ADDRESSES_V6,
  FORMS,
  NAMES,
  SPELLINGS,
} from '../../catalog/forbiddenUrls.ts';
import type { Attack, AttackTable } from '../attack.ts';
import { VICTIM_URL } from '../victim.ts';
import { catalogOutcome, type World } from '../world.ts';

interface Judged {
  readonly rules?: readonly { readonly rule: string; readonly detail?: string }[];
  readonly reason?: string;
}

/** Has the service check a URL, and returns the code of why it refused it, without what it received. */
async function validated(world: World, url: string): Promise<string> {
  const { status, text } = await world.post('/discovery/validate', { url });
  const { rules = [], reason } = JSON.parse(text) as Judged;
  const [challenge] = rules;
  if (status !== 200) return `${status} ${reason}`;
  const [code = 'fetched'] = (challenge?.detail ?? 'fetched').split(':');
  return code;
}

/** Each of some URLs. */
function each(name: string, urls: readonly string[]): Attack<World> {
  return {
    name: `${name} (${urls.length} URLs)`,
    refused: 'url_not_permitted',
    async run(world) {
      const seen = new Set<string>();
      for (const url of urls) seen.add(await validated(world, url));
      return [...seen].join(', ');
    },
  };
}

function one(name: string, url: string, refused: string): Attack<World> {
  return { name: `${name} (${url})`, refused, run: (world) => validated(world, url) };
}

const https = (host: string): string => `https://${host}/quote`;
const ofV6 = (pattern: RegExp) =>
  ADDRESSES_V6.filter((address) => pattern.test(address)).map((address) => https(`[${address}]`));
const ofSpelling = (pattern: RegExp) => SPELLINGS.filter((text) => pattern.test(text)).map(https);

/** A stranger settles a payment whose resource is of an inner network: the ownership check must not go there. */
const BY_SETTLING: Attack<World> = {
  name: 'a settled payment for a resource of an inner network',
  refused: 'not verified, nobody asked',
  changes: ['catalog', 'settlements', 'ledger', 'sponsor'],
  async run(world) {
    const { stranger } = world;
    const request = await world.payment(stranger, world.victim);
    Object.assign(request.paymentPayload, {
      resource: { url: `${world.innerUrl}/admin` },
      extensions: {
        bazaar: {
          info: { input: { type: 'http', method: 'GET', queryParams: {} } },
          schema: { type: 'object' },
        },
      },
    });
    const settled = await world.post('/settle', request);
    const outcome = catalogOutcome(settled);
    await world.settled();
    const { text } = await world.service({ path: '/discovery/resources?limit=100' });
    const { items } = JSON.parse(text) as {
      items: { resource: string; trust: { ownerVerified: boolean } }[];
    };
    const listed = items.find(({ resource }) => resource.startsWith(world.innerUrl));
    return listed?.trust.ownerVerified === true
      ? `verified, ${outcome}`
      : 'not verified, nobody asked';
  },
};

/** URLs that make the service itself the one that asks. */
export const SSRF: AttackTable<World> = {
  kind: 'SSRF',
  attacks: [
    each('IPv4 addresses that are not public', ADDRESSES_V4.map(https)),
    each(
      'IPv4 addresses with a port',
      ADDRESSES_V4.map((address) => https(`${address}:8443`)),
    ),
    each('an address in decimal', ofSpelling(/^\d{5,}$/)),
    each('an address in hexadecimal', ofSpelling(/0x/i)),
    each('an address in octal', ofSpelling(/^0\d/)),
    each('a short address', ofSpelling(/^\d+\.\d+(\.\d+)?$/)),
    each('an address in letters of other scripts', ofSpelling(/[^\p{ASCII}]/u)),
    each('an address behind percent signs', ofSpelling(/%/)),
    each('IPv6 loopback and unspecified', ofV6(/^(::1?|0:.*)$/)),
    each('IPv4-mapped and compatible IPv6', ofV6(/^::(ffff|\d+\.|7f00)/)),
    each('NAT64', ofV6(/^64:/)),
    each('6to4 and Teredo', ofV6(/^(2002|2001:0|2001::)/)),
    each('IPv6 link-local, site-local, unique-local', ofV6(/^f[cde]/)),
    each('IPv6 multicast', ofV6(/^ff/)),
    each('names of this machine and of inner networks', NAMES.map(https)),
    each('other schemes, users, ports of other protocols, broken URLs', FORMS),
    {
      name: 'the URL of a server that runs on this machine',
      refused: 'url_not_permitted',
      run: (world) => validated(world, `${world.innerUrl}/admin`),
    },
    {
      name: 'the URL of the service’s own operator routes',
      refused: 'url_not_permitted',
      run: (world) => validated(world, `${world.parts.facilitator}/operator/catalog`),
    },
    one('a redirect into this machine', https('redirects.dev'), 'redirected'),
    one('a name with a public and a private address', https('mixed.dev'), 'url_not_permitted'),
    one('a name with a public and a mapped address', https('mixed-six.dev'), 'url_not_permitted'),
    one('a public name of the metadata address', https('inner.dev'), 'url_not_permitted'),
    one('a server that never answers', https('endless.dev'), 'no_answer'),
    one('a server that switches protocols', https('switches.dev'), 'no_answer'),
    one('a challenge of 70 kB', https('fat.dev'), 'challenge_too_large'),
    one(
      'a password for a public name',
      VICTIM_URL.replace('//', '//user:secret@'),
      'url_not_permitted',
    ),
    BY_SETTLING,
  ],
};
