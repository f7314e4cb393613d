import net from 'node:net';
import { WRITES, type Write } from '../faults/steps.ts';

/** How the way to the database is. `hangs`: bytes wait; `swallows`: they are lost, connections stay open. */
export type DatabaseWeather = 'fair' | 'hangs' | 'swallows';

/** A statement whose sender is killed: before the server has it, or once it has answered. */
export interface StatementKill {
  readonly write: Write;
  readonly moment: 'before' | 'after';
}

/** Proxies between one instance and PostgreSQL. */
export interface PostgresProxy {
  /** URL of the database through the proxy. */
  readonly url: string;
  setWeather(weather: DatabaseWeather): void;
  /** Leads new connections to another server. */
  leadTo(port: number): void;
  /** Ends every connection. */
  end(): void;
  /** Kills the instance at the next such statement; `undefined` cancels that. */
  killAt(point: StatementKill | undefined): void;
  close(): void;
}

/** The statement as the driver sends it: with numbered placeholders, behind the head of its message. */
function onTheWire(pattern: RegExp): RegExp {
  return new RegExp(pattern.source.replace(/^\^/, '').replaceAll('\\?', '\\$\\d+'));
}

/** @param kill called at the statement that was asked for */
export async function startPostgresProxy(
  databaseUrl: string,
  kill: () => void,
): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  let port = Number(target.port);
  const sockets = new Set<net.Socket>();
  let weather: DatabaseWeather = 'fair';
  let armed: { readonly pattern: RegExp; readonly moment: StatementKill['moment'] } | undefined;

  function pass(from: net.Socket, to: net.Socket, bytes: Buffer): void {
    if (weather === 'swallows') return;
    if (!to.destroyed) to.write(bytes);
    if (weather === 'hangs') from.pause();
  }

  const server = net.createServer((client) => {
    const upstream = net.connect(port, target.hostname);
    let killsAtAnswer = false;
    client.on('data', (bytes) => {
      if (armed?.pattern.test(bytes.toString('latin1'))) {
        const { moment } = armed;
        armed = undefined;
        if (moment === 'before') return kill();
        killsAtAnswer = true;
      }
      pass(client, upstream, bytes);
    });
    upstream.on('data', (bytes) => {
      if (killsAtAnswer) return kill();
      pass(upstream, client, bytes);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      if (weather === 'hangs') one.pause();
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as net.AddressInfo).port);
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    setWeather(next) {
      weather = next;
      for (const socket of sockets) {
        if (next === 'hangs') socket.pause();
        else socket.resume();
      }
    },
    leadTo(other) {
      port = other;
    },
    end,
    killAt(point) {
      armed = point && { pattern: onTheWire(WRITES[point.write]), moment: point.moment };
    },
    close() {
      end();
      server.close();
    },
  };
}
