import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Opens a connection to an address, never to a name, so that nothing is resolved again. */
export type Dial = (address: string, port: number) => Socket;

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

export const systemDial: Dial = (address, port) =>
  connect({
    host: address,
    port,
    // The address is already resolved; if anything looks up a name after all, that fails.
    lookup: (_host, _options, done) => done(new Error('names are not resolved here'), '', 4),
  });
