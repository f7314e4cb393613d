// Generated from contracts/wasm and contracts/earlier by `npm run bindings`; not edited by hand.

/** SHA-256 of the modules of this version, hex. */
export const MODULE_HASHES = {
  'smart-account': 'c03da21023bb59e131a9f9f1cd8e9858f571c2698c3e2c586b2cbd2e45932e03',
  'spending-limit': '5348a6cadeae75f084ca2c68d04e9df934da85325e65e2a3ab6bd053fa525552',
  'verified-only': '7e5e54604abc08fe003ea6b5cd7a7182eb8056288645bace89f07caab9c4ff7c',
  channel: '4976fe13545b13d66c355467e52a9208e1bb482e870354f8b117868035acaba2',
  'channel-opener': 'b8fa023b73351733a791e26764957258b2b1eb7e61f644969177c0c9eb83994d',
  upto: '3c136e4414d07b24892976e7b88d3767b4caae0a69d8be0d32a89c1a654d4b04',
} as const;

/** SHA-256 of modules that earlier versions deployed, hex: their contracts stay on the ledger. */
export const EARLIER_MODULE_HASHES = {
  'smart-account': [
    '6efae38ef9acf0d7609fe458d61105bee7cec5be1132bccf4784db0531c21c75',
    'd9349a03424e1524603877966c90ae638e578fa440521382c0f0752675a94eae',
  ],
  'spending-limit': [
    'e68d8cf4d5c20c9c674bafc672caadd32b809849beecd9b104cd98ac9640258a',
    '87fef915c24ee09305f79b7ee0335f2dbfcafc902f1bd6b310bddca155cb6a09',
  ],
  'verified-only': ['ff0894f2de34b527e1d01107e0296ad535f3bb267e83823120f6fc6e468e16a1'],
} as const;
