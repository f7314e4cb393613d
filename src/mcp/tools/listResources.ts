import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CatalogRead } from '../catalogClient.ts';
import { catalogEntrySchema, listAnswerSchema } from '../catalogEntry.ts';
import { describeEntries, describeIgnored, UNTRUSTED_NOTICE } from '../describeEntries.ts';
import { filters } from './filters.ts';
import { toolResult } from './toolResult.ts';

const inputSchema = z.strictObject({
  ...filters,
  offset: z.int().min(0).optional().describe('Entries to skip (default 0)'),
});

const outputSchema = z.object({
  notice: z.string(),
  items: z.array(catalogEntrySchema),
  pagination: listAnswerSchema.shape.pagination,
});

/** `x402_list_resources`: a page of the catalog, filtered. */
export function registerListResources(server: McpServer, read: CatalogRead): void {
  server.registerTool(
    'x402_list_resources',
    {
      title: 'List paid resources',
      description:
        'Lists resources (HTTP APIs and MCP tools) that are paid per request with x402 on Stellar, ' +
        'with prices and trust signals. A resource is listed after its first settled payment.',
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: true, openWorldHint: true, idempotentHint: true },
    },
    (query, { mcpReq: { signal } }) =>
      toolResult(async () => {
        const page = await read('/discovery/resources', query, listAnswerSchema, signal);
        const { items, pagination } = page;
        const { offset, total } = pagination;
        const count =
          items.length === 0
            ? `No resources (${total} match in all).`
            : `Resources ${offset + 1} to ${offset + items.length} of ${total}. ${UNTRUSTED_NOTICE}`;
        return {
          structuredContent: { notice: UNTRUSTED_NOTICE, items, pagination },
          content: [
            {
              type: 'text',
              text:
                `${count}\n${describeEntries(items)}`.trimEnd() +
                describeIgnored(page.unappliedFilters),
            },
          ],
        };
      }),
  );
}
