import { type Attack, type AttackTable, type Facts, type Outcome, THINGS } from './attack.ts';

/** What the runner asks of a world beside its attacks. */
export interface Watched {
  /** What every thing is now. */
  facts(): Promise<Facts>;
  /** What answers and logs since the last call had but must not have, each as a sentence. */
  leaks(): readonly string[];
}

export interface AttackReport {
  readonly attacks: number;
  readonly refused: number;
  /** Names of those that got through. */
  readonly through: readonly string[];
}

async function attempt<W>(attack: Attack<W>, world: W): Promise<string> {
  try {
    return await attack.run(world);
  } catch (error) {
    return `the attack broke off: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function changed(before: Facts, after: Facts, allowed: readonly string[]): string[] {
  return THINGS.filter((thing) => !allowed.includes(thing) && before[thing] !== after[thing]).map(
    (thing) => `${thing} changed: ${before[thing]} became ${after[thing]}`,
  );
}

function judge<W>({ refused }: Attack<W>, seen: string, others: readonly string[]): Outcome {
  const why = [...(seen === refused ? [] : [`expected ${refused}, saw ${seen}`]), ...others];
  return why.length === 0 ? { held: true } : { held: false, why };
}

function line<W>(kind: string, { name, refused, changes = [] }: Attack<W>, outcome: Outcome) {
  if (!outcome.held) return `GOT THROUGH  ${kind}: ${name}: ${outcome.why.join('; ')}`;
  const untouched = THINGS.filter((thing) => !changes.includes(thing));
  const rest = changes.length === 0 ? 'all' : untouched.join(', ');
  return `refused  ${kind}: ${name} → ${refused} (untouched: ${rest})`;
}

/**
 * Tries the attacks one after the other and prints a line each. An attack is refused when it came back as its table
 * says, changed nothing that it may not change, and no answer or log line held what must not be in them.
 */
export async function runAttacks<W extends Watched>(
  tables: readonly AttackTable<W>[],
  world: W,
  print: (line: string) => void,
): Promise<AttackReport> {
  const through: string[] = [];
  let attacks = 0;
  const report = (kind: string, attack: Attack<W>, outcome: Outcome): void => {
    attacks += 1;
    if (!outcome.held) through.push(`${kind}: ${attack.name}`);
    print(line(kind, attack, outcome));
  };
  for (const { kind, together = false, attacks: ofKind } of tables) {
    const groups = together ? [ofKind] : ofKind.map((attack) => [attack]);
    for (const group of groups) {
      const before = await world.facts();
      const seen = await Promise.all(group.map((attack) => attempt(attack, world)));
      const after = await world.facts();
      const leaks = world.leaks();
      for (const [at, attack] of group.entries()) {
        const others = [...changed(before, after, attack.changes ?? []), ...leaks];
        report(kind, attack, judge(attack, seen[at] ?? 'nothing', others));
      }
    }
  }
  const refused = attacks - through.length;
  print(`${attacks} attacks, ${refused} refused, ${through.length} got through`);
  return { attacks, refused, through };
}
