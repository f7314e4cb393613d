/** The port that the network was told to use belongs to somebody else. */
export class PortError extends Error {
  override readonly name = 'PortError';
  readonly code = 'PORT_BUSY';
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} of 127.0.0.1 is in use: stop what uses it, or choose another port.`);
    this.port = port;
  }
}
