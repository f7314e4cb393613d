import { canonicalPayTo, parseResource } from '../../../protocol/index.ts';

/** The target of an operator's rule. */
export interface Target {
  readonly kind: 'resource' | 'origin' | 'recipient';
  /** The key of a resource, an origin, or an address. */
  readonly value: string;
}

const OF_TOOL = /#.*$/;

/**
 * Parses an operator's target. An address (G…, C…) is a recipient, a URL without a path is an origin, and
 * any other URL is a resource. A `#` suffix names one tool of an MCP server; without it the target is all
 * tools at the URL, and with `mcp://tool/<name>` the tools of every recipient.
 *
 * @returns `undefined` if the text is none of these
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
