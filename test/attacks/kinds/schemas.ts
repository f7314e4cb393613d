import { branchingSchema } from '../../fuzz/cost/routes.ts';
import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import { VICTIM_URL } from '../victim.ts';

type Json = Readonly<Record<string, unknown>>;

const RULES = ['bounds', 'schema', 'schema_cost'];
const EXAMPLE = { type: 'json', example: { a: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' } };

/** What the judge says of a declaration with this schema: whether one of its rules failed. */
async function judged(target: Target, schema: Json, output: Json): Promise<string> {
  const input = { type: 'http', method: 'GET', queryParams: {} };
  const { status, text } = await target.post('/discovery/validate', {
    resource: { url: VICTIM_URL },
    extensions: { bazaar: { info: { input, output }, schema } },
  });
  if (status !== 200) return `${status}`;
  const { rules } = JSON.parse(text) as { rules: { rule: string; outcome: string }[] };
  const failed = rules.some(({ rule, outcome }) => RULES.includes(rule) && outcome === 'failed');
  return failed ? 'schema refused' : 'schema accepted';
}

function schema(name: string, of: Json, output: Json = EXAMPLE): Attack<Target> {
  return { name, refused: 'schema refused', run: (target) => judged(target, of, output) };
}

/** No schema of a flood is one that was judged before. */
let floods = 0;

/** Each level refers to the next one twice. */
function doubling(levels: number): Json {
  const defs = Array.from({ length: levels }, (_, n) => [
    `l${n}`,
    { allOf: [{ $ref: `#/$defs/l${n + 1}` }, { $ref: `#/$defs/l${n + 1}` }] },
  ]);
  return { $defs: { ...Object.fromEntries(defs), [`l${levels}`]: {} }, $ref: '#/$defs/l0' };
}

function nested(levels: number): Json {
  let deep: Json = {};
  for (let n = 0; n < levels; n++) deep = { properties: { a: deep } };
  return deep;
}

const below = (of: Json): Json => ({ properties: { output: { properties: { example: of } } } });

/** Schemas of a seller that cost more to judge than they look. Refused, and nobody else waits. */
export const SCHEMAS: AttackTable<Target> = {
  kind: 'schemas',
  attacks: [
    schema('15 references to 440 branches', { ...branchingSchema(15, 440) }),
    schema('references that double 40 times', doubling(40)),
    schema('a reference to itself', { $ref: '#' }),
    schema('a reference into another document', { $ref: 'https://inner.dev/schema.json' }),
    schema('a reference to a file', { $ref: 'file:///etc/passwd' }),
    schema('2,000 alternatives', { anyOf: Array.from({ length: 2_000 }, () => ({ not: {} })) }),
    schema('200 levels', nested(200)),
    schema('uniqueItems over 900 objects', below({ uniqueItems: true, contains: { const: 1 } }), {
      type: 'json',
      example: Array.from({ length: 900 }, (_, n) => ({ n })),
    }),
    schema('a schema that its own example does not fit', below({ type: 'number' })),
    {
      name: '60 schemas at once, each of them costly in its own way',
      refused: 'answered, each with a verdict or a refusal',
      async run(target) {
        const answers = await Promise.all(
          Array.from({ length: 60 }, (_, n) => {
            floods += 1;
            const unlike = {
              title: `flood ${floods}`,
              ...below({ uniqueItems: true, minItems: n }),
            };
            const example = Array.from({ length: 300 }, (_, at) => ({ at }));
            return judged(target, unlike, { type: 'json', example });
          }),
        );
        const other = answers.filter(
          (answer) => !/^(schema (refused|accepted)|429|503)$/.test(answer),
        );
        return other.length === 0 ? 'answered, each with a verdict or a refusal' : other.join();
      },
    },
  ],
};
