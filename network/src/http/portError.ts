/** Another process uses the port that the network was configured to use. */
export class PortError extends Error {
  override readonly name = 'PortError';
  readonly code = 'PORT_BUSY';
  /** The requested port. */
  readonly port: number;

  constructor(port: number) {
    super(
      `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or choose another port.`,
    );
    this.port = port;
  }
}
