import type { DemandSection } from './section.ts';

/** Facilitator, catalog and policy gateway. */
export const serviceDemands: Readonly<Record<string, DemandSection>> = {
  'What the service does': {
    headings: ['What the service does', 'Resources and their fields', 'States and transitions'],
    demands: {
      1: 'A buyer needs no native currency, and the seller speaks HTTP alone.',
      '2.2': 'The seller answers 402 with the terms, also in the PAYMENT-REQUIRED header.',
      '2.3': 'The buyer signs an authorization for one transfer, not a transaction.',
      '2.4': 'The signed payment travels in PAYMENT-SIGNATURE.',
      '2.5': "/verify runs the buyer's __check_auth, spending policies included.",
      '2.6':
        '/settle submits a transaction of its own and answers the hash, which reaches the buyer in PAYMENT-RESPONSE.',
      3: 'Funds move from buyer to payTo; a channel is source and the sponsor pays the fee.',
      4: 'Scheme exact settles the signed amount, scheme upto at most the signed ceiling.',
      5: 'Settling puts a resource into the catalog, verifying does not, and nothing else does.',
      6: 'The policy gateway generates, simulates and deploys spending policies for smart accounts.',
      7: 'Only the network stellar:testnet is served.',
      8: 'The hosted instance sleeps when idle and forgets its catalog.',
      9: 'Any SEP-41 asset that a resource names can be settled.',
    },
  },
  'Amount rules': {
    headings: ['Amount rules'],
    demands: {
      Units: 'Amounts are integer strings of atomic units, seven decimals to the unit.',
      'Big integers': 'No floating point touches an amount.',
      'Non-integer': 'A requirement with an amount that is not an integer is malformed.',
    },
  },
  paymentRequirements: {
    headings: ['paymentRequirements'],
    demands: {
      Fields:
        'scheme, network, asset, amount, payTo, maxTimeoutSeconds and extra are read and judged.',
      payTo: 'A recipient is an account (G) or a contract (C).',
      'upto amount':
        'Under upto the amount stays the ceiling, and extra.actualAmount is what settles.',
      Price: 'A seller may say a price as $decimal, or as an amount of an asset.',
    },
  },
  paymentPayload: {
    headings: ['paymentPayload'],
    demands: {
      x402Version: 'The version is 2.',
      accepted: 'The accepted terms are those required.',
      'payload.transaction': 'The transaction is base64 of one Soroban envelope.',
      extensions: 'Without the echo of the extensions a payment settles and is not cataloged.',
    },
  },
  'Settle response': {
    headings: ['Settle response'],
    demands: {
      Fields: 'success, transaction, payer and the amount that settled.',
      'Empty transaction': 'transaction is empty when nothing was submitted.',
      errorReason: 'A rejection has a reason.',
    },
  },
  'Supported kinds': {
    headings: ['Supported kinds (GET /supported)'],
    demands: {
      Kinds: 'Each kind has version 2, scheme, network and extra.',
      areFeesSponsored: 'Both schemes say that fees are sponsored.',
      uptoContract: 'The kind upto names the settlement contract.',
    },
  },
  'Catalog entry': {
    headings: ['Catalog entry'],
    demands: {
      resource: 'An entry has one canonical URL as key; a slash at its end does not count.',
      accepts: 'An entry lists its payment options.',
      trust:
        'trust has settlements, uniquePayers, observedSettlements, statsSource and ownerVerified.',
      'trust counts':
        'Settlements and distinct payers are counted, observed ones apart from restored ones.',
      verification: 'verification and acceptsVerification are always unknown.',
      'Same payTo':
        "The counts stay when the same recipient settles again, and another's payment changes nothing.",
    },
  },
  'Discovery extension declaration': {
    headings: ['Discovery extension declaration (seller side)'],
    demands: {
      Declaration: 'What declareDiscoveryExtension writes becomes the listing.',
      serviceName:
        'serviceName is printable ASCII of at most 64 characters, and dropped otherwise.',
      description: 'description is cut at 256 characters.',
      tags: 'tags follow the rule of serviceName.',
      routeTemplate: 'An unsafe template is refused with schema_validation_failed.',
      'Templated route': 'A templated route is listed and never verified.',
    },
  },
  'extension-responses header': {
    headings: ['extension-responses header'],
    demands: {
      Name: 'The header has a lower-case name and carries a JSON object by extension.',
      'bazaar.cataloged': 'It says whether the resource was cataloged.',
      'bazaar.reason': 'It gives a reason when it was not.',
    },
  },
  Health: {
    headings: ['Health (GET /health)', 'GET /health'],
    demands: {
      status: 'status is ok while the service lives.',
      catalogFrozen: 'A catalog that takes nothing in says so.',
      unverifiableEntries: 'The count is absent when zero.',
      reverifyPending: 'Ownership checks that are open after a restart are counted.',
      Exempt: '/health has no request limit.',
    },
  },
  'Policy objects': {
    headings: ['Policy objects'],
    demands: {
      Definition: 'A definition of version 1 and type spending_limit limits XLM a day.',
      Template: 'A template has type, title, enforcement.kind and enforcementLabel.',
      Generated: 'A generated policy has an id and artifacts.',
      'Deploy result': 'A deployment gives contractId and attachTxHash.',
    },
  },
  'Catalog ownership binding': {
    headings: ['Catalog ownership binding (per resource URL)'],
    demands: {
      'Unbound to bound':
        'The first settled recipient of a URL owns its entry, and its ownership is checked.',
      'Same payTo': 'A later settlement of the same recipient updates the entry.',
      'Different payTo':
        "Another recipient's payment settles and leaves entry and counts alone, with a reason.",
      Restart: 'After a restart ownership is checked again.',
    },
  },
  ownerVerified: {
    headings: ['ownerVerified'],
    demands: {
      States: 'An entry is verified when all five requirements hold, else unverified.',
      1: 'Only public https is asked; all else is refused before a socket opens.',
      2: 'An unauthenticated GET has to answer 402.',
      3: 'The verdict comes from a PAYMENT-REQUIRED header of at most 64 KiB; the body is not read.',
      4: 'The challenge has to name the recipient.',
      5: 'The answer has to come within 3 seconds and without a redirect.',
    },
  },
  'Settlement outcomes': {
    headings: ['Settlement outcomes (classification)'],
    demands: {
      Settled: '200 with the header and a hash: settled, no retry.',
      'Never submitted':
        'An empty transaction: nothing was spent, the reservation is given back, one retry with a fresh payload.',
      'Failed on the ledger': 'A hash and no success: fees were charged, no retry.',
      'Verify-stage rejection':
        'A 402 without a settle response was refused at verification, no retry.',
      Classification: 'The transaction field decides, never the status alone.',
    },
  },
  'Settlement path': {
    headings: ['Settlement path (inside /settle, in order)'],
    demands: {
      1: 'The floor of the sponsor is checked first; below it settlement_refused.',
      2: 'One of exactly 50 channels is held by one settlement at a time.',
      3: 'The fee-bumped transaction is submitted.',
      4: 'The catalog hook runs after a success, and its failure changes nothing.',
      5: 'The channel is released, settled or failed.',
      6: 'The hash is answered.',
    },
  },
  'Upto authorization': {
    headings: ['Upto authorization'],
    demands: {
      Settled: 'At most the ceiling moves, only the actual amount, and the nonce is consumed.',
      'Above the ceiling': 'The contract refuses an actual amount above the ceiling.',
      Replayed: 'The ledger refuses the same tuple a second time.',
      Expired: 'A tuple past its expiration ledger is refused.',
    },
  },
  'Policy lifecycle': {
    headings: ['Policy lifecycle'],
    demands: {
      Generate: 'generate validates and gives an id.',
      Simulate: 'simulate is a dry run that submits nothing.',
      'Deploy instance': "The wallet's policy contract is deployed with the sponsor's money.",
      Attach: 'A passkey signs addPolicy, the only prompt.',
      Record: 'The gateway records the attach.',
      Inert:
        'A policy limits nothing before it is attached, and a key only where its grants name it.',
    },
  },
  'Spending budget with upto': {
    headings: ['Spending budget with upto (reserve then reconcile)'],
    demands: {
      Reserve: 'The policy reserves the full ceiling.',
      Release: 'After the settlement the contract releases what was not used.',
      'Actual charge': 'The budget ends at the actual charge.',
    },
  },
  'POST /verify and POST /settle': {
    headings: ['Endpoints', 'Facilitator ({base_url})', 'POST /verify and POST /settle'],
    demands: {
      'Canonical client': 'The canonical facilitator client works with it unmodified.',
      'Bazaar client': 'The canonical client of the catalog works with it unmodified.',
      Body: 'The body has x402Version, paymentPayload and paymentRequirements.',
      Schemes: 'Both routes take exact and upto.',
      'Empty object': 'An empty object is refused with a reason.',
      isValid: '/verify answers isValid.',
      'Refusal 503': 'A refusal is HTTP 503 with error settlement_refused and its reason.',
      'Simulation source':
        'The payer as source account is refused as unsupported credentials; any other serves, and never signs or pays.',
      'Transient retry': 'Failures of the ledger that may pass are tried twice, 6 seconds apart.',
      'Skew guard': 'A failure that ledger skew explains is looked at once more.',
    },
  },
  'Upto wire shape': {
    headings: ['Upto wire shape'],
    demands: {
      Envelope: 'payload.transaction is an unsigned envelope of settle with signed entries.',
      'Signed tuple': 'The tuple has six terms, and the actual amount is none of them.',
      Rebuilt: 'The envelope is rebuilt with the actual amount.',
      Arguments: 'settle takes its eight arguments in one order.',
      hook: 'A hook other than void is refused by its own code.',
      'Actual amount': 'The actual amount comes from extra.actualAmount.',
      'Full ceiling': 'Without it the full ceiling settles.',
      'Verify at the ceiling': '/verify simulates at the ceiling.',
      Response: 'The response has the actual amount while the requirement stays the ceiling.',
      Seller: 'A seller registers a scheme server and declares the ceiling as price.',
      UPTO_CONTRACT_ID: 'upto is served only where the contract is set.',
      Concurrency:
        'Settlements of upto that share a sequence number may fail; here each has a channel.',
    },
  },
  'GET /supported': {
    headings: ['GET /supported'],
    demands: {
      kinds: 'It lists the kinds.',
      signers: 'It advertises the addresses that sign.',
    },
  },
  'GET /discovery/resources': {
    headings: ['GET /discovery/resources'],
    demands: {
      Filters: 'type, payTo, scheme, network, extensions and asset filter.',
      verified_only: 'verified_only=true is always answered 400.',
      Page: 'limit is 20 and at most 100, offset 0 unless said.',
      Response: 'It answers x402Version, items and pagination.',
    },
  },
  'GET /discovery/search': {
    headings: ['GET /discovery/search'],
    demands: {
      Filters: 'The filters of the list, without offset and asset.',
      query: 'An empty query is answered 400.',
      Cursor: 'Pages follow a cursor; limit is 20 and at most 100.',
      Response:
        'x402Version, resources, partialResults and pagination with a base64url cursor or null.',
      'Null cursor': 'A null cursor says that nothing follows.',
      'Filters change': 'A cursor is not good for other filters.',
      Fusion: 'Two stages are fused by reciprocal ranks with k = 60.',
      Lexical: 'Eight synonym groups and six stem rules.',
      Weights: 'serviceName weighs 4, tags 3, description 2, URL 1.',
      Semantic: 'Vectors have 1,024 dimensions and are compared by cosine.',
      Ties: 'Ties are broken by settlements × 2 + uniquePayers.',
      'Provider down': 'Without the semantic provider the endpoint continues by words.',
    },
  },
  'Policy gateway': {
    headings: ['Policy gateway ({gateway_url})'],
    demands: {
      'GET /policies/templates':
        'Templates are listed with how each is enforced, and claim no more.',
      'POST /policies/validate': 'A definition is validated.',
      'POST /policies/generate': 'A definition becomes artifacts under an id.',
      'POST /policies/:id/simulate':
        'A deployment is tried, with cost and errors, and not submitted.',
      'POST /policies/:id/deploy-instance': "The wallet's contract is deployed by the sponsor.",
      'POST /policies/deploy': 'The attach is recorded.',
      Tumbling:
        'The window is fixed: what was spent goes to zero when it ends, and it does not slide.',
      Boundary: 'Around a boundary twice the cap can move.',
      'No opinion on the recipient': 'A spending limit judges token and amount, not who is paid.',
      'Signer limits': 'Multisig and allowlists are the limits of signers of the account itself.',
      'Verified only': 'Who is not attested is not paid; attestations expire.',
      Revoked: 'After a revocation the identical payment is refused.',
      Stacked: 'It caps no amount, and can be combined with a spending limit.',
    },
  },
  'Facilitator codes': {
    headings: ['Errors', 'Facilitator codes (JSON body)'],
    demands: {
      submission_failed: 'TRY_AGAIN_LATER: never submitted, the transaction field is empty.',
      transaction_failed: 'The code for a transaction that failed.',
      sponsor_balance_low: 'The sponsor below its floor refuses with this reason.',
      'Spend refusals': 'The four spend refusals are logged on testnet, and enforced elsewhere.',
      authorization_replayed: 'An authorization that comes twice is refused.',
      missing_trustline_recipient: 'A recipient without a trustline has its own code.',
      unsupported_credential_type: "The payer's own source account is refused by its code.",
      fee_exceeds_maximum: 'A fee above the ceiling is refused by its code.',
      hook_not_supported: 'A hook is refused by its code.',
      verified_only_unavailable: 'verified_only is answered 400 with code and reason.',
      'HTTP 503': 'settlement_refused is returned as HTTP 503.',
      'Money moved': 'A code says that money may have moved only where something was submitted.',
      Complete: 'Every code of the specification is in the table of failures.',
    },
  },
  'Catalog reasons': {
    headings: ['Catalog reasons (extension-responses)'],
    demands: {
      no_discovery_extension: 'The buyer did not echo the extension.',
      invalid_payto: 'The recipient is not a usable address.',
      ownership_tombstone_mismatch: 'The URL was bound to another recipient.',
      unbound_payto: 'The recipient is not bound to this URL.',
      schema_validation_failed: 'Metadata or template do not pass.',
      binding_refused: 'The binding is refused for this settlement.',
      invalid_tool_name: 'The name of an MCP tool is not acceptable.',
      cataloging_error: 'The catalog failed; the payment stands.',
      'Payment unaffected': 'No reason affects the payment.',
    },
  },
  Limits: {
    headings: ['Limits'],
    demands: {
      'Request rate': '60 requests a minute for each address; /health is exempt.',
      'Body size': '/verify and /settle read 32 KiB.',
      'Fee ceiling': '500,000 stroops unless raised, compared with the bid.',
      'Policy-governed bid': 'A payment under a policy bids roughly 130,000 stroops.',
      'Channel pool': 'Exactly 50 accounts, checked at the start; never the sponsor.',
      'Upto expiration': 'At most 17,280 ledgers ahead.',
      'List page size': 'Pages have 20 and at most 100 entries.',
      'asset filter': 'An asset has at most 56 characters.',
      serviceName: 'At most 64 characters of printable ASCII.',
      description: 'At most 256 characters.',
      'PAYMENT-REQUIRED header': 'At most 64 KiB.',
      'Ownership fetch': '3 seconds, no redirect.',
      'Ownership re-check cooldown': '15 minutes.',
      'Cold start':
        'The hosted instance sleeps after 15 minutes and takes about 45 seconds to wake.',
      'Transient-failure retry': '2 attempts, 6 seconds apart.',
      Decimals: 'Seven; a price is above zero.',
      'Editor requirements': 'VS Code 1.80, Node 18, Next.js 16.2.6 for the App Router.',
      'Spending-limit window': 'A fixed window, up to twice the cap around a boundary.',
      'Ranking figures': 'Figures of a catalog of 19 entries prove nothing.',
    },
  },
  Versioning: {
    headings: ['Versioning'],
    demands: {
      x402Version: 'x402Version is 2 in bodies.',
      uptoContract: 'A client reads from /supported which contract holds the ceiling.',
      Network: 'Only stellar:testnet is advertised.',
      rpcUrl: 'A bad rpcUrl throws when the client is made.',
    },
  },
};
