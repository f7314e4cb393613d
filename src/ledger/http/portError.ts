/** Another process uses the port that the network was configured to use. */
export class PortError extends Error {
  override readonly name = 'PortError';
  readonly code = 'PORT_BUSY';
  /** The port that was asked for. */
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} of 127.0.0.1 is in use: stop what uses it, or choose another port.`);
    this.port = port;
  }
}
