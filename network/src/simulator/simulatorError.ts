/** `BUSY`: too many runs are waiting; `STOPPED`: the run was ended. */
export type SimulatorErrorCode = 'BUSY' | 'STOPPED';

/** Why a simulation did not produce an outcome. */
export class SimulatorError extends Error {
  override readonly name = 'SimulatorError';
  readonly code: SimulatorErrorCode;

  constructor(code: SimulatorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
