// Generated from contracts/wasm and contracts/earlier by `npm run bindings`; not edited by hand.

/** SHA-256 of the modules of this version, hex. */
export const MODULE_HASHES = {
  'smart-account': 'd040b0e9253872789de44cb62397cbde1bc93420456b57cb70084874c5f1f887',
  'spending-limit': 'b5152c3b2f8de57d8339c60dab21adfcae8c68734f507b15a3577e8559f97c5b',
  'verified-only': '45f1cb7c965169146778f6a9332fd316bf708e406b8b5575f284ca82b638ed57',
  upto: 'a1efd8c54abdd260c4374e665b26cfe1f6a83fd3e905941e8c98cc6618fbab00',
} as const;

/** SHA-256 of modules that earlier versions deployed, hex: their contracts stay on the ledger. */
export const EARLIER_MODULE_HASHES = {
  'smart-account': ['6efae38ef9acf0d7609fe458d61105bee7cec5be1132bccf4784db0531c21c75'],
  'spending-limit': ['e68d8cf4d5c20c9c674bafc672caadd32b809849beecd9b104cd98ac9640258a'],
  'verified-only': ['ff0894f2de34b527e1d01107e0296ad535f3bb267e83823120f6fc6e468e16a1'],
} as const;
