import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CatalogRead } from '../catalogClient.ts';
import { foundEntrySchema, searchAnswerSchema } from '../catalogEntry.ts';
import {
  describeEntries,
  describeIgnored,
  nothingFits,
  UNTRUSTED_NOTICE,
} from '../describeEntries.ts';
import { filters, unoffered } from './filters.ts';
import { offered } from './offered.ts';
import { toolResult } from './toolResult.ts';

const parameters = {
  query: z.string().min(1).max(400).describe('What to look for'),
  ...filters,
  cursor: z
    .string()
    .max(2_000)
    .optional()
    .describe('Cursor from the previous page; valid only for the same query and filters'),
};
const inputSchema = offered(
  z.strictObject({ ...parameters, ...unoffered }),
  z.strictObject(parameters),
);

const outputSchema = z.object({
  notice: z.string(),
  resources: z.array(foundEntrySchema),
  partialResults: z.boolean(),
  cursor: z.string().nullable().describe('Cursor for the next page; null after the last'),
});

/** The service answers with half of its search if the other half takes too long. */
const PARTIAL =
  'partialResults: the search by meaning was not ready in time, so these matched by words only. ' +
  'Search again for better results.';

const NOTHING_FITS =
  'Nothing matches well: the resources below share few words and little meaning with the query.';

/** `x402_search_resources`: the catalog's hybrid search. */
export function registerSearchResources(server: McpServer, read: CatalogRead): void {
  server.registerTool(
    'x402_search_resources',
    {
      title: 'Search paid resources',
      description:
        'Finds resources (HTTP APIs and MCP tools) that are paid per request with x402 on Stellar, ' +
        'by words and meaning, best first, with prices and trust signals.',
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: true, openWorldHint: true, idempotentHint: true },
    },
    (query, { mcpReq: { signal } }) =>
      toolResult(async () => {
        const page = await read('/discovery/search', query, searchAnswerSchema, signal);
        const { resources } = page;
        const partialResults = page.partialResults ?? false;
        const cursor = page.pagination?.cursor ?? null;
        const partly = partialResults ? `\n${PARTIAL}` : '';
        const count =
          resources.length === 0
            ? 'Nothing found. Try other words, or fewer filters.'
            : `${nothingFits(resources) ? NOTHING_FITS : `${resources.length} found, best first.`} ${UNTRUSTED_NOTICE}`;
        const more = cursor === null ? '' : `\nMore results with cursor ${JSON.stringify(cursor)}.`;
        const text =
          `${count}\n${describeEntries(resources)}`.trimEnd() +
          more +
          partly +
          describeIgnored(page.unappliedFilters);
        return {
          structuredContent: { notice: UNTRUSTED_NOTICE, resources, partialResults, cursor },
          content: [{ type: 'text', text }],
        };
      }),
  );
}
