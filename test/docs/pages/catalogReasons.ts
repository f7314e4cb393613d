import type { CatalogReason } from '../../../src/protocol/wire/index.ts';

interface ReasonPage {
  readonly happened: string;
  readonly todo: string;
}

const DOCTOR =
  '`POST /discovery/validate` with `{"url": …}` checks each rule before a payment; in the editor, use "Svc: Why is my endpoint not listed?".';

/** Why a settled payment was not listed; docs/catalog.md has the order in which the reasons are checked. */
export const CATALOG_REASON_PAGES: Readonly<Record<CatalogReason, ReasonPage>> = {
  no_discovery_extension: {
    happened: 'The payment echoes no `bazaar` extension.',
    todo: `Declare the extension on the route (\`declareDiscoveryExtension\`), and let the buyer echo \`extensions\` of the challenge in its payment; stock clients do. ${DOCTOR}`,
  },
  invalid_payto: {
    happened: 'The recipient is not a `G…` or `C…` address with a valid checksum.',
    todo: 'Set `payTo` to the `G…` or `C…` address itself.',
  },
  ownership_tombstone_mismatch: {
    happened: 'The URL was listed for another recipient, and has been removed from the list since.',
    todo: 'Pay the recipient that the URL belonged to, or serve the resource under another URL.',
  },
  unbound_payto: {
    happened: 'Another recipient has a route or tools that share a URL with this resource.',
    todo: 'Serve the resource under a URL that no listed route of another recipient covers.',
  },
  schema_validation_failed: {
    happened: 'Size, URL, form, route or example of the declaration breaks a rule.',
    todo: `Fix the declaration. ${DOCTOR}`,
  },
  binding_refused: {
    happened: 'The URL is listed for another recipient: the first whose payment settled owns it.',
    todo: 'Pay the recipient that the URL is bound to. If it is yours under an old address, serve it under a new URL.',
  },
  invalid_tool_name: {
    happened: 'The name of the declared MCP tool is not 1 to 128 of `A-Z a-z 0-9 _ - . /`.',
    todo: 'Rename the tool in the declaration.',
  },
  cataloging_error: {
    happened: 'The catalog is full or cannot be written.',
    todo: 'The seller need not do anything: if the facilitator could not record a settlement, it tries again after a restart. The operator finds the cause in the log and in `catalogFrozen` of `/health`.',
  },
};
