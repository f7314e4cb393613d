import { STELLAR_TESTNET } from '../../protocol/index.ts';
import { type ListedTool, PRICE_META, priceMeta, priceSentence } from '../../seller/index.ts';
import type { McpConfig, ProxyConfig, Terms } from '../config/config.ts';
import { elementsOf, membersOf, objectText, type RawObject, withMembers } from './rawJson.ts';

/** A tool that a server lists. */
interface Listed extends ListedTool {
  readonly members: RawObject;
}

/** Returns the price of a tool; `undefined` if it is free. */
export function termsOf(
  name: string,
  { tools, otherwise }: McpConfig,
): Terms | 'closed' | undefined {
  if (tools.has(name)) return tools.get(name);
  return otherwise === 'free' ? undefined : otherwise;
}

/** A result of `tools/list` as clients get it, and what it says about the tools. */
export interface PricedList {
  /** JSON. */
  readonly result: string;
  readonly tools: readonly ListedTool[];
}

/**
 * Adds prices to a result of `tools/list`, in the descriptions and in `_meta`, and leaves out tools that cannot be called. The
 * output schema of a sold tool moves to `_meta`: clients of the first SDK compare a request for payment with it, and fail.
 * @param result JSON
 * @param protocols in which the tools are sold
 */
export function pricedList(
  result: string,
  config: McpConfig,
  protocols: ProxyConfig['protocols'],
): PricedList {
  const members = membersOf(result);
  const listed = elementsOf(members?.get('tools') ?? '') ?? [];
  if (members === undefined) return { result, tools: [] };
  const tools = listed.flatMap((text) => readTool(text) ?? []);
  const shown = tools.flatMap((tool) => {
    const terms = termsOf(tool.name, config);
    if (terms === 'closed') return [];
    return [objectText(terms === undefined ? tool.members : priced(tool, terms, protocols))];
  });
  return { result: objectText(new Map(members).set('tools', `[${shown.join(',')}]`)), tools };
}

function readTool(text: string): Listed | undefined {
  const members = membersOf(text);
  const name: unknown = JSON.parse(members?.get('name') ?? 'null');
  if (members === undefined || typeof name !== 'string') return undefined;
  const description: unknown = JSON.parse(members.get('description') ?? 'null');
  return {
    ...{ name, members },
    description: typeof description === 'string' ? description : undefined,
    inputSchema: JSON.parse(members.get('inputSchema') ?? '{"type":"object"}'),
  };
}

function priced(
  { members, description }: Listed,
  { price, description: words }: Terms,
  protocols: ProxyConfig['protocols'],
): RawObject {
  const amount = price.kind === 'fixed' ? price.amount : price.max;
  const meta = membersOf(members.get('_meta') ?? '{}') ?? new Map<string, string>();
  const output = members.get('outputSchema');
  const execution = membersOf(members.get('execution') ?? '');
  const text = words ?? description ?? '';
  return withMembers(members, {
    description: JSON.stringify(
      `${text}${text === '' ? '' : '\n\n'}${priceSentence(amount, protocols)}`,
    ),
    outputSchema: undefined,
    execution:
      execution === undefined
        ? undefined
        : objectText(withMembers(execution, { taskSupport: undefined })),
    _meta: objectText(
      withMembers(meta, {
        [PRICE_META]: JSON.stringify(priceMeta(amount, STELLAR_TESTNET, protocols)),
        ...(output === undefined ? {} : { 'svc-x402/outputSchema': output }),
      }),
    ),
  });
}
