// Generated from contracts/wasm by `npm run bindings`; not edited by hand.

/** SHA-256 of the modules of this version, hex. */
export const MODULE_HASHES = {
  'smart-account': '6efae38ef9acf0d7609fe458d61105bee7cec5be1132bccf4784db0531c21c75',
  'spending-limit': 'e68d8cf4d5c20c9c674bafc672caadd32b809849beecd9b104cd98ac9640258a',
  'verified-only': 'ff0894f2de34b527e1d01107e0296ad535f3bb267e83823120f6fc6e468e16a1',
  upto: 'a1efd8c54abdd260c4374e665b26cfe1f6a83fd3e905941e8c98cc6618fbab00',
} as const;
