/** The output of a command on stdout: text, or JSON Lines with `--json`. */
export interface Report {
  /** `text` is for people, `event` and `facts` for programs. */
  say(text: string, event: string, facts: object): void;
}

export function createReport(json: boolean, write: (text: string) => void): Report {
  return {
    say(text, event, facts) {
      if (json) write(`${JSON.stringify({ event, ...facts })}\n`);
      else if (text !== '') write(`${text}\n`);
    },
  };
}

/** Lines of `name  value` with aligned values. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}
