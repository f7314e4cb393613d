import type { DeclarationRule } from '../declaration/readDeclaration.ts';
import type { OwnershipFailure } from '../ownership/checkOwnership.ts';
import type { BindingRefusal } from '../records/judgeBinding.ts';

/** How a seller fixes a violation of each rule of a declaration. */
export const DECLARATION_MENDS: Readonly<Record<DeclarationRule, string>> = {
  extension:
    'Add declareDiscoveryExtension(…) from @x402/extensions to the route’s extensions, and register bazaarResourceServerExtension. Buyers have to echo the challenge’s extensions.',
  bounds: 'Shorten examples and schemas to at most 16,384 characters, 2,000 values and 24 levels.',
  resource:
    'Set resource.url to an absolute http or https URL (mcp for a tool). Behind a proxy set resource in the route, or trust the proxy.',
  info: 'Declare info.input.type http with a method, or mcp with toolName and inputSchema.',
  tool_name: 'Name the tool with 1 to 128 of A-Z a-z 0-9 _ - . /',
  route_template: 'Write the route as a path with :name or {name}, without .. and without a host.',
  schema_cost:
    'Shorten the schema, or try again when the service is less busy: each schema gets 100 ms of CPU time.',
  schema:
    'Make the example fit its own schema. output.example counts as an object: set output.schema for an array or a text. References have to stay inside the schema and form no cycle.',
};

/** How a seller fixes a failed ownership check. */
export const OWNERSHIP_MENDS: Readonly<Record<OwnershipFailure, string>> = {
  too_busy:
    'Try again in a moment: the service is already checking as many sellers as it can at once.',
  url_not_permitted:
    'Serve it over https at a public host name. http, this machine and private addresses are never verified; the entry is listed anyway.',
  no_answer: 'Answer within three seconds, with a certificate that is valid for the host name.',
  redirected: 'Make the listed URL answer directly: redirects are not followed.',
  not_402:
    'Answer a request without payment with status 402, without a login. For a route with another method than GET or POST, send its method.',
  no_challenge:
    'Send the terms in the PAYMENT-REQUIRED header, or in a Payment challenge of WWW-Authenticate; the body is not read.',
  unreadable_challenge:
    'The PAYMENT-REQUIRED header arrived, but it is not the base64 of a JSON object with a list accepts. Send what the x402 packages encode.',
  challenge_too_large: 'Shorten the PAYMENT-REQUIRED header to 64 KiB.',
  other_recipient:
    'Name the paid recipient in accepts[].payTo of the challenge, or as recipient of a charge of MPP.',
};

/** What a seller can do if the key is not free. */
export const BINDING_MENDS: Readonly<Record<BindingRefusal, string>> = {
  binding_refused:
    'The URL is listed for another recipient. If it is yours, make it answer 402 with your recipient, and let one more payment settle; to move from a recipient whose key you have, add the signed svc-recipient-change extension.',
  ownership_tombstone_mismatch:
    'The URL was listed for another recipient before. Set payTo to that address, or serve another URL.',
  unbound_payto:
    'Another recipient has a route or a tool that shares a URL with this one. Set payTo to that address, or serve another route.',
};

/** Advice to a seller whose resource the operator forbids. */
export const FORBIDDEN_MEND =
  'The operator of this service keeps it out of the catalog. Payments settle as before; ask the operator, or use another facilitator.';
