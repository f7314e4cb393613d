import type { Style } from '../../source/style.ts';
import { fits } from './writeCode.ts';

/** Lines indented one level deeper. */
export function indented(lines: readonly string[], { indent }: Style): readonly string[] {
  return lines.map((line) => indent + line);
}

/** The first lines of `lead(a, b) => {`; parameters that do not fit get their own lines. */
export function arrow(
  lead: string,
  parameters: readonly string[],
  answer: string,
  style: Style,
): readonly string[] {
  const line = `${lead}(${parameters.join(', ')})${answer} => {`;
  if (fits(line, style, 0)) return [line];
  const last = style.trailingArguments ? ',' : '';
  return [`${lead}(`, ...indented(separated(parameters, last), style), `)${answer} => {`];
}

/**
 * A call whose last argument is a function with a block. It opens on the line of the call if that fits; otherwise, each
 * argument gets its own lines.
 * @param tail what follows the call
 * @param level indentation level of the call
 */
export function callWithFunction(
  callee: string,
  args: readonly string[],
  head: string,
  body: readonly string[],
  tail: string,
  style: Style,
  level: number,
): readonly string[] {
  const line = `${callee}(${[...args, head].join(', ')}`;
  if (fits(line, style, level)) return [line, ...indented(body, style), `})${tail}`];
  const last = style.trailingArguments ? ',' : '';
  return [
    `${callee}(`,
    ...indented([...separated(args, ','), head, ...indented(body, style), `}${last}`], style),
    `)${tail}`,
  ];
}

/** A call whose last argument is a function that returns an expression. */
export function callWithExpression(
  callee: string,
  args: readonly string[],
  head: string,
  expression: string,
  tail: string,
  style: Style,
): readonly string[] {
  const start = `${callee}(${[...args, head].join(', ')}`;
  const line = `${start} ${expression})${tail}`;
  if (fits(line, style, 0)) return [line];
  const last = style.trailingArguments ? ',' : '';
  if (fits(start, style, 0)) {
    return [start, ...indented([`${expression}${last}`], style), `)${tail}`];
  }
  return [
    `${callee}(`,
    ...indented([...separated(args, ','), `${head} ${expression}${last}`], style),
    `)${tail}`,
  ];
}

function separated(items: readonly string[], last: string): readonly string[] {
  return items.map((item, index) => `${item}${index < items.length - 1 ? ',' : last}`);
}
