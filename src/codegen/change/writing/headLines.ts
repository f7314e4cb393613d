import type { Style } from '../../source/style.ts';
import type { Place } from '../reading/places.ts';
import type { RegisteredReading } from '../reading/registeredReading.ts';
import type { Code } from './code.ts';
import { callWithExpression, callWithFunction } from './functionLines.ts';
import { writeCode } from './writeCode.ts';

/**
 * Returns a HEAD route, which keeps HEAD requests from running the GET handler unpaid; empty if another route answers HEAD
 * first.
 * @param place where the gate is written
 */
export function gateHeads(
  registered: RegisteredReading,
  method: string,
  path: Code,
  style: Style,
  { pos, inChain }: Pick<Place, 'pos' | 'inChain'>,
): readonly string[] {
  const { headsAt } = registered;
  // Frameworks answer HEAD with the GET handler.
  if ((method !== 'GET' && method !== '*') || headsAt.some((at) => at < pos)) return [];
  return [
    '// HEAD asks for no payment, so it is answered without the handler.',
    ...headLines(registered, path, style, inChain !== undefined),
  ];
}

function headLines(
  { framework, owner, typesHandlers }: RegisteredReading,
  path: Code,
  style: Style,
  inChain = false,
): readonly string[] {
  const { semicolons, quote } = style;
  const end = semicolons ? ';' : '';
  const at = writeCode(path, style, '', 0);
  const type = typesHandlers ? ': any' : '';
  switch (framework) {
    case 'fastify':
      return callWithExpression(
        `${owner}.head`,
        [at],
        `async (_request${type}, reply${type}) =>`,
        'reply.code(200).send()',
        end,
        style,
      );
    case 'hono':
      // Hono answers HEAD with the GET routes and has no separate HEAD routes.
      return callWithFunction(
        inChain ? '.use' : `${owner}.get`,
        [at],
        `async (c${type}, next${type}) => {`,
        [
          `if (c.req.method === ${quote}HEAD${quote}) return c.body(null)${end}`,
          `await next()${end}`,
        ],
        inChain ? '' : end,
        style,
        0,
      );
    case 'express':
      return callWithFunction(
        `${owner}.head`,
        [at],
        `(_req${type}, res${type}) => {`,
        [`res.status(200).end()${end}`],
        end,
        style,
        0,
      );
  }
}
