import type { DeclarationRule } from '../declaration/readDeclaration.ts';
import type { OwnershipFailure } from '../ownership/checkOwnership.ts';
import type { BindingRefusal } from '../records/judgeBinding.ts';

/** How a seller fixes a violation of each rule of a declaration. */
export const DECLARATION_MENDS: Readonly<Record<DeclarationRule, string>> = {
  extension:
    'Put declareDiscoveryExtension(…) of @x402/extensions under extensions of the route, and register bazaarResourceServerExtension. Buyers have to echo the extensions of the challenge.',
  bounds: 'Shorten examples and schemas: at most 16,384 characters, 2,000 values, 24 levels.',
  resource:
    'Let resource.url be an absolute http or https URL (mcp for a tool). Behind a proxy set resource in the route, or trust the proxy.',
  info: 'Declare info.input.type http with a method, or mcp with toolName and inputSchema.',
  tool_name: 'Name the tool with 1 to 128 of A-Z a-z 0-9 _ - . /',
  route_template: 'Write the route as a path with :name or {name}, without .. and without a host.',
  schema_cost:
    'Shorten the schema, or try again when the service is less busy: a schema has 100 ms of CPU to be judged in.',
  schema:
    'Make the example fit its own schema. output.example counts as an object: give output.schema for an array or a text. References stay inside the schema and do not repeat.',
};

/** How a seller fixes a failed ownership check. */
export const OWNERSHIP_MENDS: Readonly<Record<OwnershipFailure, string>> = {
  too_busy: 'Ask again in a moment: the service is asking as many sellers as it does at once.',
  url_not_permitted:
    'Serve it under https at a public name. http, this machine and private addresses are never verified; the entry is listed all the same.',
  no_answer: 'Answer within three seconds, with a certificate that holds for the name.',
  redirected: 'Let the listed URL answer itself: redirects are not followed.',
  not_402: 'Answer a GET without payment with status 402, without a login.',
  no_challenge: 'Send the terms in the PAYMENT-REQUIRED header; the body is not read.',
  challenge_too_large: 'Shorten the PAYMENT-REQUIRED header to 64 KiB.',
  other_recipient: 'Name the recipient that is paid in accepts[].payTo of the challenge.',
};

/** What a seller can do if the key is not free. */
export const BINDING_MENDS: Readonly<Record<BindingRefusal, string>> = {
  binding_refused:
    'The URL is listed for another recipient. If it is yours, let it answer 402 with your recipient and be paid once more; to move from a recipient whose key you have, add the signed svc-recipient-change extension.',
  ownership_tombstone_mismatch:
    'The URL was listed for another recipient before. Be paid at that address, or serve another URL.',
  unbound_payto:
    'Another recipient has a route or a tool that shares a URL with this one. Be paid at that address, or serve another route.',
};

/** Advice to a seller whose resource the operator forbids. */
export const FORBIDDEN_MEND =
  'The operator of this service keeps it out of the catalog. Payments settle as before; ask the operator, or use another facilitator.';
