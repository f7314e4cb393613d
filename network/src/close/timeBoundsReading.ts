/**
 * What the time bounds of transactions are compared with.
 *  - `network`: the close time of ledgers, as on every Stellar network.
 *  - `clock`: this machine's clock, from which clients compute their bounds, even if the network's time was moved ahead of it.
 */
export type TimeBoundsReading = 'network' | 'clock';
