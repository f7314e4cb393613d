import type { Style } from '../../source/style.ts';
import type { RegisteredReading } from '../reading/registeredReading.ts';
import type { Code } from './code.ts';
import { writeCode } from './writeCode.ts';

/**
 * Returns a HEAD route, which keeps HEAD requests from running the GET handler unpaid; empty if another route answers HEAD
 * first.
 * @param before offset of the gate
 */
export function gateHeads(
  registered: RegisteredReading,
  method: string,
  path: Code,
  style: Style,
  before: number,
): readonly string[] {
  const { headsAt } = registered;
  // Frameworks answer HEAD with the handler of GET.
  if ((method !== 'GET' && method !== '*') || headsAt.some((at) => at < before)) return [];
  return [
    '// HEAD asks for no payment, so it is answered without the handler.',
    ...headLines(registered, path, style),
  ];
}

function headLines(
  { framework, owner }: RegisteredReading,
  path: Code,
  style: Style,
): readonly string[] {
  const { semicolons, indent, quote } = style;
  const end = semicolons ? ';' : '';
  const at = writeCode(path, style, '', 0);
  switch (framework) {
    case 'fastify':
      return [`${owner}.head(${at}, async (_request, reply) => reply.code(200).send())${end}`];
    case 'hono':
      // Hono answers HEAD with the GET routes and has no separate ones.
      return [
        `${owner}.get(${at}, async (c, next) => {`,
        `${indent}if (c.req.method === ${quote}HEAD${quote}) return c.body(null)${end}`,
        `${indent}await next()${end}`,
        `})${end}`,
      ];
    case 'express':
      return [
        `${owner}.head(${at}, (_req, res) => {`,
        `${indent}res.status(200).end()${end}`,
        `})${end}`,
      ];
  }
}
