import type { DemandSection } from './section.ts';

/** SDK, editor extension, discovery tools, and what all sides have to keep. */
export const clientDemands: Readonly<Record<string, DemandSection>> = {
  'Editor extension settings': {
    headings: ['Editor extension settings'],
    demands: {
      payToAddress: 'An account address, written into code when it is generated.',
      notifyOnEveryPayment: 'Off unless set.',
    },
  },
  'Editor sidebar wallet states': {
    headings: ['Editor sidebar wallet states'],
    demands: {
      States: 'Not configured, invalid, not funded, no trustline, loaded; the middle ones amber.',
      Trustline:
        "A trustline counts by its entry for the network's USDC issuer, not by its balance.",
    },
  },
  'HEAD behaviour': {
    headings: ['HEAD behaviour'],
    demands: { HEAD: 'HEAD on a paid route is 200 without a challenge.' },
  },
  'Discovery tools': {
    headings: ['Discovery tools (MCP stdio server)'],
    demands: {
      Tools: 'Two tools with the parameters of the specification.',
      x402_list_resources: 'It lists with filters, limit 1 to 100 and offset.',
      x402_search_resources: 'It needs a query and follows cursors.',
      FACILITATOR_URL: 'The server asks the facilitator that this variable names.',
    },
  },
  'SDK wallet handle': {
    headings: ['SDK wallet handle (client)'],
    demands: {
      'policies.*':
        'listTemplates, generate, simulate and deploy, which returns contractId and attachTxHash.',
      'x402.fetch': 'It pays resources of scheme exact, and builds no upto payment.',
      apiUrl: 'Without apiUrl policies throws.',
      policyAttach: 'Without policyAttach only deploy() throws.',
      createPolicyClient: 'It lists templates without a wallet.',
      maxAmount: 'maxAmount bounds what is paid.',
      allowedAssets: 'allowedAssets bounds what is paid in.',
      rpcUrl: 'A missing or unreadable rpcUrl throws at construction.',
      'Option selection': 'Scheme and network match and fees are sponsored.',
    },
  },
  'Editor extension command': {
    headings: ['Editor extension command'],
    demands: {
      Commands: 'The two commands exist, for .js, .ts, .jsx and .tsx.',
      1: 'The open file is searched for routes.',
      2: 'A quick-pick confirms the route.',
      3: 'A route that has a gate is refused.',
      price: 'A price above zero, at most seven decimals, 0.01 unless said.',
      5: 'Code is added, and the body of the handler is unchanged.',
      6: 'The cursor goes to the first TODO of the metadata.',
      7: 'Packages are offered with the manager of the nearest lock file, monorepos included.',
      Express:
        'Express: imports after the last import, the address as a literal, a client, a server, a map keyed by METHOD /path, the middleware.',
      Fastify: 'Fastify: the gate uses the name at the call site.',
      'Next.js App Router': 'The handler becomes _impl, gives up its export and is wrapped.',
      'Next.js Pages Router': 'The refusal says what to do instead, and nothing is written.',
      Packages: 'core, stellar, extensions and the framework’s package.',
    },
  },
  'Activation test payment': {
    headings: ['Editor extension command'],
    demands: {
      Steps: 'A throwaway key is made, funded, given a trustline and USDC, and pays.',
      Distinct: 'The key is neither the configured address nor the payTo of the endpoint.',
      '5x': 'USDC for five times the price is bought on the exchange.',
      Live: "Price and payTo are read from the endpoint's own challenge.",
      'One at a time': 'Only one test payment runs at a time.',
    },
  },
  'Editor sidebar': {
    headings: ['Editor extension command'],
    demands: {
      'My Endpoints':
        'Entries whose payTo is the configured address, with price, badge, count and a test.',
      Badges: 'Verified, Not verified yet, Unverified, Unknown.',
      'Recent Settlements': 'The last ten on the ledger, in pages.',
      'Earnings Summary': 'Total, today, this week and payers, from the settlements.',
      Polling: 'Wallet and settlements are read every 30 seconds, endpoints every 60.',
    },
  },
  Authentication: {
    headings: ['Authentication'],
    demands: {
      'One call': 'The signature is over one call; another amount or recipient fails.',
      Expiry: 'Authorizations expire in ledgers.',
      'Upto tuple': 'Each of the six terms of upto is signed.',
      'Policy refusal': 'An over-cap payment fails as #1 wrapped as #110.',
      'Two layers': 'The ceiling of the process refuses before signing, the policy on the ledger.',
      Passkey: 'Attaching needs a passkey, and nothing is signed silently.',
      Ownership: 'Ownership is found by fetching the URL, not by credentials.',
    },
  },
  Events: {
    headings: ['Events'],
    demands: {
      'extension-responses': 'A successful /settle carries the header.',
      'PAYMENT-RESPONSE': 'It carries the hash to the buyer.',
      'Verify catalogs nothing': 'Verifying alone lists nothing.',
      Transfer: 'upto emits the transfer event of the token with the actual amount.',
    },
  },
  'SDK errors': {
    headings: [
      'SDK errors (thrown before or during the loop; nothing signed or submitted, no money moved)',
    ],
    demands: {
      MaxAmountExceededError: 'More is asked than maxAmount.',
      DisallowedAssetError: 'No offer is in an allowed asset.',
      NoUsablePaymentOptionError: 'No offer matches, or none sponsors fees.',
      InvalidRequirementsError: 'A requirement is malformed.',
      PaymentRejectedError: 'The facilitator refused, with its reason.',
      X402NotConfiguredError: 'x402 is used without configuration, or made with a bad rpcUrl.',
      'Policy API': 'policies throws without apiUrl, deploy() without policyAttach.',
      'Never twice': 'A payment that settled without the resource is not repeated.',
    },
  },
};
