import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CatalogRead } from '../catalogClient.ts';
import { type CatalogEntry, catalogEntrySchema, listAnswerSchema } from '../catalogEntry.ts';
import { describeEntries, describeIgnored, UNTRUSTED_NOTICE } from '../describeEntries.ts';
import { filters, unoffered } from './filters.ts';
import { offered } from './offered.ts';
import { toolResult } from './toolResult.ts';

/** Maximum characters of a result whose size the caller did not choose: about 2,000 tokens. */
const MAX_RESULT = 8_000;
/** Characters of a description in a short entry. */
const MAX_DESCRIPTION = 120;

/**
 * Returns the result with as many entries as fit a model's context: all of them, else all without their inputs and outputs, else
 * the first ones.
 * @param write writes the result for these entries; `short` if inputs and outputs were left out
 */
function fitContext<T extends CatalogEntry>(
  entries: readonly T[],
  write: (entries: readonly T[], short: boolean) => CallToolResult,
): CallToolResult {
  const whole = write(entries, false);
  if (sizeOf(whole) <= MAX_RESULT) return whole;
  const short = entries.map(shortened);
  for (let count = short.length; count > 1; count--) {
    const result = write(short.slice(0, count), true);
    if (sizeOf(result) <= MAX_RESULT) return result;
  }
  return write(short.slice(0, 1), true);
}

function sizeOf(result: CallToolResult): number {
  return JSON.stringify(result).length;
}

/** An entry without the schemas and examples, which are most of it. */
function shortened<T extends CatalogEntry>(entry: T): T {
  const { extensions: _, description, accepts, ...rest } = entry;
  return {
    ...rest,
    accepts: accepts.slice(0, 2).map(({ scheme, network, asset, amount, payTo }) => ({
      ...{ scheme, network, asset, amount, payTo },
    })),
    ...(description === undefined
      ? {}
      : { description: [...description].slice(0, MAX_DESCRIPTION).join('') }),
  } as unknown as T;
}

/** Entries to ask for by default; fewer are shown if they do not fit. */
const DEFAULT_LIMIT = 10;

const parameters = {
  ...filters,
  offset: z.int().min(0).optional().describe('Entries to skip (default 0)'),
};
const inputSchema = offered(
  z.strictObject({ ...parameters, ...unoffered }),
  z.strictObject(parameters),
);

const outputSchema = z.object({
  notice: z.string(),
  items: z.array(catalogEntrySchema),
  pagination: listAnswerSchema.shape.pagination,
});

const INPUTS_LEFT_OUT =
  'Inputs and outputs are left out. With limit 1 and a part of the URL in urlSubstring, the whole entry is shown.';

/** `x402_list_resources`: a page of the catalog, filtered. */
export function registerListResources(server: McpServer, read: CatalogRead): void {
  server.registerTool(
    'x402_list_resources',
    {
      title: 'List paid resources',
      description:
        'Lists resources (HTTP APIs and MCP tools) that are paid per request with x402 on Stellar, ' +
        'with prices and trust signals. A resource is listed after its first settled payment. Without limit, as many as fit in 8,000 characters.',
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: true, openWorldHint: true, idempotentHint: true },
    },
    (query, { mcpReq: { signal } }) =>
      toolResult(async () => {
        const limit = query.limit ?? DEFAULT_LIMIT;
        const all = { ...query, limit };
        const page = await read('/discovery/resources', all, listAnswerSchema, signal);
        const { items, pagination } = page;
        const { offset, total } = pagination;
        const write = (shown: typeof items, short: boolean): CallToolResult => {
          const next = offset + shown.length;
          const count =
            shown.length === 0
              ? `No resources (${total} match in all).`
              : `Resources ${offset + 1} to ${next} of ${total}. ${UNTRUSTED_NOTICE}`;
          const more = next < total && shown.length > 0 ? `\nMore with offset ${next}.` : '';
          const inputs = short ? `\n${INPUTS_LEFT_OUT}` : '';
          return {
            structuredContent: {
              notice: UNTRUSTED_NOTICE,
              items: shown,
              pagination: { ...pagination, limit: short ? shown.length : pagination.limit },
            },
            content: [
              {
                type: 'text',
                text:
                  `${count}\n${describeEntries(shown)}`.trimEnd() +
                  more +
                  inputs +
                  describeIgnored(page.unappliedFilters),
              },
            ],
          };
        };
        if (query.limit !== undefined) return write(items, false);
        return fitContext(items, (shown, short) => write([...shown], short));
      }),
  );
}
