import type { FoundRoute, Registration } from '../routes/foundRoute.ts';
import type { Style } from '../source/style.ts';
import { call, type Member, object, text, writeCode } from './code.ts';

interface GateParts {
  readonly registered: Registration;
  readonly entry: Member;
  /** The local name of `paymentMiddleware`. */
  readonly middleware: string;
  readonly server: string;
  readonly style: Style;
  /** Of the statement; lines are given without it, and as wide as it leaves. */
  readonly indent: string;
}

/** The statement that charges for routes on an instance. */
export function gateLines(parts: GateParts): readonly string[] {
  const { registered, entry, middleware, server, style } = parts;
  const receiver = registered.receiver.getText();
  const routes = object([entry], true);
  const code =
    registered.instance.framework === 'fastify'
      ? call(middleware, text(receiver), routes, text(server))
      : call(`${receiver}.use`, call(middleware, routes, text(server)));
  const written = writeCode(code, { ...style, width: style.width - parts.indent.length }, '', 0);
  return `${written}${style.semicolons ? ';' : ''}`.split('\n');
}

/** What answers HEAD in place of a GET handler, which would run unpaid. */
export function headLines(route: FoundRoute, path: string, style: Style): readonly string[] {
  const { registered } = route;
  if (!registered) return [];
  const receiver = registered.receiver.getText();
  const end = style.semicolons ? ';' : '';
  return registered.instance.framework === 'fastify'
    ? [`${receiver}.head(${path}, async (_request, reply) => reply.code(200).send())${end}`]
    : [
        `${receiver}.head(${path}, (_req, res) => {`,
        `${style.indent}res.status(200).end()${end}`,
        `})${end}`,
      ];
}

/** Stands above the first of them. */
export const HEAD_COMMENT = '// HEAD asks for no payment, so it is answered without the handler.';
