import type { Edit } from '../../source/edit.ts';
import type { Style } from '../../source/style.ts';
import type { WrappedExport } from '../decision/decision.ts';
import type { ExportedReading } from '../reading/exportedReading.ts';
import type { HandlerShape } from '../reading/handlerShape.ts';
import { blockAtEnd, linesInBlock } from './blocks.ts';
import { type Code, call, type Line, text } from './code.ts';
import { arrow } from './functionLines.ts';
import type { Ingredients } from './ingredients.ts';
import { fits, writeLines } from './writeCode.ts';

/** Wraps an exported handler in a block at the end of the file, where every handler is already declared. */
export function writeWrapper(
  { reading, imported, settings, config }: Ingredients,
  { exported, impl, released }: WrappedExport,
): readonly Edit[] {
  const { route, style, typed, settings: found } = reading;
  const wrapper = wrapperLines({
    method: route.method,
    impl,
    shape: exported.shape,
    config,
    server: settings.server,
    wrap: imported.local('withX402'),
    response: imported.local('NextResponse'),
    typed,
    headToo: route.method === 'GET' && !exported.exportsHead,
    style,
  });
  const lines = [...namedLines(exported, impl, style), ...wrapper];
  const block = found
    ? linesInBlock(found.blockEnd, writeLines(lines, style), style)
    : blockAtEnd(reading.text, writeLines([...settings.lines, '', ...lines], style), style);
  return [...released, block];
}

/** Gives a new name to a handler that was exported together with others. */
function namedLines(
  { form, taken }: ExportedReading,
  impl: string,
  { semicolons, spacedBraces }: Style,
): readonly string[] {
  if (!taken || form === 'list') return [];
  const { name, from } = taken;
  const end = semicolons ? ';' : '';
  const pad = spacedBraces ? ' ' : '';
  return [
    form === 'from'
      ? `import {${pad}${name} as ${impl}${pad}} from ${from}${end}`
      : `const {${pad}${name}: ${impl}${pad}} = ${from}${end}`,
  ];
}

interface WrapperParts {
  readonly method: string;
  readonly impl: string;
  readonly shape: HandlerShape;
  readonly config: Code;
  readonly server: string;
  /** Local names. */
  readonly wrap: string;
  readonly response: string;
  readonly typed: boolean;
  readonly headToo: boolean;
  readonly style: Style;
}

/** The statements that export the paid handler. */
function wrapperLines(parts: WrapperParts): readonly Line[] {
  const { method, shape, config, server, wrap, typed, headToo, style } = parts;
  const end = style.semicolons ? ';' : '';
  const generic = typed && !shape.converts && shape.severalAnswers ? '<unknown>' : '';
  const start = shape.context ? `const ${method}_paid = ` : `export const ${method} = `;
  const code = call(`${wrap}${generic}`, text(handlerCode(parts)), config, text(server));
  const lines: Line[] = [
    ...(shape.context ? contextLines(parts) : []),
    { lead: start, code, tail: end },
  ];
  if (shape.context) lines.push(...paramLines(parts));
  if (headToo) {
    lines.push(
      '// HEAD asks for no payment, so it is answered without the handler.',
      `export const HEAD = () => new Response(null, {${style.spacedBraces ? ' status: 200 ' : 'status: 200'}})${end}`,
    );
  }
  return lines;
}

/** Adapts the handler to `withX402`: a function of the request that returns a `NextResponse`. */
function handlerCode({ method, impl, shape, response, typed, style }: WrapperParts): string {
  if (!shape.context && !shape.converts) return impl;
  const { indent } = style;
  const end = style.semicolons ? ';' : '';
  const lines: string[] = [];
  const request = ownName('request', impl);
  const args = shape.noRequest ? [] : [request];
  const isCast = typed && shape.unsure;
  const handler = isCast ? ownName('handler', impl) : impl;
  if (isCast) {
    lines.push(
      `type Handler = (...given: unknown[]) => Promise<Response>${end}`,
      `const ${handler} = ${impl} as unknown as Handler${end}`,
    );
  }
  if (shape.context) {
    const name = ownName('context', impl);
    const context = `const ${name} = ${method}_contexts.get(${request})`;
    const cast = `${context} as Parameters<typeof ${impl}>[1]${end}`;
    if (!typed || isCast) lines.push(`${context}${end}`);
    else if (fits(cast, style, 2)) lines.push(cast);
    else lines.push(`${context} as Parameters<`, `${indent}typeof ${impl}`, `>[1]${end}`);
    args.push(name);
  }
  if (shape.converts) {
    const answer = ownName('response', impl);
    lines.push(
      `const ${answer} = await ${handler}(${args.join(', ')})${end}`,
      `return new ${response}(${answer}.body, ${answer})${end}`,
    );
  } else {
    lines.push(`return ${handler}(${args.join(', ')})${end}`);
  }
  const parameter = style.arrowParens ? `(${request})` : request;
  const parameters = shape.noRequest && !shape.context ? '()' : parameter;
  const body = lines.map((line) => `${indent}${indent}${line}`);
  return [`async ${parameters} => {`, ...body, `${indent}}`].join('\n');
}

/** A name for a parameter or constant of the wrapper: a list can export a handler of the same name. */
function ownName(name: string, impl: string): string {
  return name === impl ? `x402${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

/** The type of a context; the exported function can accept more than the handler does. */
function contextType({ impl, shape }: WrapperParts): string {
  return shape.unsure ? 'unknown' : `Parameters<typeof ${impl}>[1]`;
}

function contextLines(parts: WrapperParts): readonly string[] {
  const { method, typed, style } = parts;
  const { indent } = style;
  const start = `const ${method}_contexts = new WeakMap`;
  const end = `()${style.semicolons ? ';' : ''}`;
  const type = contextType(parts);
  const line = `${start}${typed ? `<object, ${type}>` : ''}${end}`;
  return [
    '// withX402 hands on the request alone, so the context waits here for it.',
    ...(fits(line, style, 0)
      ? [line]
      : [`${start}<`, `${indent}object,`, `${indent}${type}`, `>${end}`]),
  ];
}

function paramLines(parts: WrapperParts): readonly string[] {
  const { method, impl, typed, style } = parts;
  const { indent } = style;
  const end = style.semicolons ? ';' : '';
  const request = ownName('request', impl);
  const context = ownName('context', impl);
  const parameters = typed
    ? [`${request}: Parameters<typeof ${method}_paid>[0]`, `${context}: ${contextType(parts)}`]
    : [request, context];
  return [
    ...arrow(`export const ${method} = `, parameters, '', style),
    `${indent}${method}_contexts.set(${request}, ${context})${end}`,
    `${indent}return ${method}_paid(${request})${end}`,
    `}${end}`,
  ];
}
