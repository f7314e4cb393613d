/**
 * What the time bounds of transactions are compared with.
 *  - `network`: the close time of ledgers, as on every Stellar network.
 *  - `clock`: this machine's clock, even where the network's time was moved ahead of it: by it clients make their bounds.
 */
export type TimeBoundsReading = 'network' | 'clock';
