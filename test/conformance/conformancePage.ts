import { sections, unproved } from './demands.ts';
import { readTags, type Tag } from './tags.ts';

/** Every demand as `Section/Rule`. */
export function demandIds(): readonly string[] {
  return Object.entries(sections).flatMap(([section, { demands }]) =>
    Object.keys(demands).map((rule) => `${section}/${rule}`),
  );
}

/** Demands that no test proves, with the reason if one is noted. */
export function unprovedDemands(tags: readonly Tag[]): ReadonlyMap<string, string | undefined> {
  const proved = new Set(tags.map(({ demand }) => demand));
  return new Map(
    demandIds()
      .filter((id) => !proved.has(id))
      .map((id) => [id, unproved[id]]),
  );
}

/** The text of docs/evidence/conformance.md. */
export function conformancePage(tags = readTags()): string {
  const open = unprovedDemands(tags);
  const all = demandIds();
  return [
    '# Conformance',
    '',
    '<!-- Made by `npm run docs -- conformance` from the names of the tests; changes here are overwritten. -->',
    '',
    'What the specification of this service demands, in our words, and the tests that prove it. A test',
    'says which demand it proves in its name, as `[spec: Section/Rule]`; a tag on a group stands for all',
    'tests in it. Tests under `test/editor` run in real editors (`bash .ci/editor`), those of',
    '`test/codegen/running` in real apps (`npm run lab -- fixtures`), those under `contracts/` with cargo,',
    'all others in `npm test`.',
    '',
    `${all.length} demands, ${all.length - open.size} proved, ${open.size} not.`,
    '',
    '## Not proved',
    '',
    ...[...open].map(([id, reason]) => `- **${id}**: ${textOf(id)} ${reason ?? 'No test yet.'}`),
    ...Object.entries(sections).flatMap(([section, { demands }]) => [
      '',
      `## ${section}`,
      '',
      ...inOrder(demands).flatMap(([rule, text]) => [
        `- **${rule}**: ${text}`,
        ...proofs(tags, `${section}/${rule}`),
      ]),
    ]),
    '',
  ].join('\n');
}

/** Numbered rules by their numbers; objects give whole numbers first. */
function inOrder(
  demands: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return Object.entries(demands).sort(([a], [b]) =>
    /^\d/.test(a) && /^\d/.test(b) ? Number(a) - Number(b) : 0,
  );
}

function textOf(id: string): string {
  const section = Object.keys(sections).find(
    (name) =>
      id.startsWith(`${name}/`) && id.slice(name.length + 1) in (sections[name]?.demands ?? {}),
  );
  return section === undefined
    ? ''
    : (sections[section]?.demands[id.slice(section.length + 1)] ?? '');
}

function proofs(tags: readonly Tag[], id: string): readonly string[] {
  const found = tags.filter(({ demand }) => demand === id);
  const lines = found.map(({ file, test }) => `  - [${file}](../../${file}): ${asText(test)}`);
  return [...new Set(lines)];
}

/** Names are plain text; what Markdown would take for markup is escaped. */
function asText(name: string): string {
  return name.replaceAll(/\$\{([^}]*)\}/g, '…').replaceAll(/[<>*_[\]`|]/g, (sign) => `\\${sign}`);
}
