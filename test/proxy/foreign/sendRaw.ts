import { connect } from 'node:net';

/**
 * Sends bytes over a connection of their own, and returns what comes until it closes, or until nothing has come for `quietMs`.
 * A reset is the end of what came.
 */
export function sendRaw(port: number, bytes: Buffer, quietMs = 400): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}
