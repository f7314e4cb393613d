/** One test of a suite. */
export interface CaseResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped, in the words of its runner. */
  readonly detail: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#10;': '\n',
  '&amp;': '&',
};

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|amp|#10);/g, (entity) => ENTITIES[entity] ?? entity);
}

function attribute(tag: string, name: string): string {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag);
  return unescaped(found?.[1] ?? '');
}

/** Reads the report that pytest (`--junitxml`) and Node (`--test-reporter junit`) write. */
export function casesOfJunit(xml: string): CaseResult[] {
  const cases: CaseResult[] = [];
  for (const [, tag = '', body = ''] of xml.matchAll(
    /<testcase(\s[^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  )) {
    const failure = /<(?:failure|error)(\s[^>]*?)?(?:\/>|>([\s\S]*?)<\/(?:failure|error)>)/.exec(
      body,
    );
    const skipped = /<skipped(\s[^>]*?)?(?:\/>|>)/.exec(body);
    const [outcome, detail]: [CaseResult['outcome'], string] =
      failure !== null
        ? ['failed', attribute(failure[1] ?? '', 'message') || unescaped(failure[2] ?? '')]
        : skipped !== null
          ? ['skipped', attribute(skipped[1] ?? '', 'message')]
          : ['passed', ''];
    cases.push({ name: attribute(tag, 'name'), outcome, detail: detail.trim() });
  }
  return cases;
}

interface GoEvent {
  readonly Action?: string;
  readonly Test?: string;
  readonly Output?: string;
}

/** Reads what `go test -json` prints. Of a test with subtests only these count, unless it fails beside them. */
export function casesOfGo(output: string): CaseResult[] {
  const outcomes = new Map<string, CaseResult['outcome']>();
  const words = new Map<string, string>();
  for (const line of output.split('\n')) {
    if (!line.startsWith('{')) continue;
    const { Action, Test, Output } = JSON.parse(line) as GoEvent;
    if (Test === undefined) continue;
    if (Action === 'output') words.set(Test, (words.get(Test) ?? '') + (Output ?? ''));
    else if (Action === 'pass') outcomes.set(Test, 'passed');
    else if (Action === 'fail') outcomes.set(Test, 'failed');
    else if (Action === 'skip') outcomes.set(Test, 'skipped');
  }
  const below = (name: string) => [...outcomes].filter(([other]) => other.startsWith(`${name}/`));
  return [...outcomes]
    .filter(([name, outcome]) => {
      const inner = below(name);
      return (
        inner.length === 0 ||
        (outcome === 'failed' && inner.every(([, other]) => other !== 'failed'))
      );
    })
    .map(([name, outcome]) => ({
      name,
      outcome,
      detail: outcome === 'passed' ? '' : wordsOfGo(words.get(name) ?? ''),
    }));
}

/** A Go test's output without the lines that every test has. */
function wordsOfGo(output: string): string {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(?:===|---)/.test(line))
    .join('\n')
    .trim();
}
