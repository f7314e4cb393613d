import { canonicalPayTo, parseResource } from '../../../protocol/index.ts';

/** What a rule of the operator names. */
export interface Target {
  readonly kind: 'resource' | 'origin' | 'recipient';
  /** The key of a resource, an origin, or an address. */
  readonly value: string;
}

const OF_TOOL = /#.*$/;

/**
 * Reads what an operator names: an address (G…, C…) is a recipient, a URL without a path its whole
 * origin, any other URL the resource under it. Behind `#` a tool of an MCP server may be named; without
 * it all tools at the URL are meant, and under `mcp://tool/<name>` those of every recipient.
 *
 * @returns `undefined` when it is none of these
 * @example readTarget('https://api.example.com') // { kind: 'origin', value: 'https://api.example.com' }
 */
export function readTarget(text: string): Target | undefined {
  const recipient = canonicalPayTo(text);
  if (recipient !== undefined) return { kind: 'recipient', value: recipient };
  const parsed = parseResource(text);
  if (!parsed.ok) return undefined;
  const { key, origin, segments } = parsed.resource;
  const [tool = ''] = OF_TOOL.exec(text.trim()) ?? [];
  if (segments.length === 0 && tool === '') return { kind: 'origin', value: origin };
  return { kind: 'resource', value: `${key}${tool === '#' ? '' : tool}` };
}
