import { xdr } from '@stellar/stellar-sdk';
import { errorEvent } from './diagnosticEvent.ts';

/** The refusing part of the system, as in an `ScError`. */
export type ErrorArea = 'sceBudget' | 'sceStorage' | 'sceValue';
export type ErrorCode = 'scecExceededLimit' | 'scecInvalidInput' | 'scecUnexpectedType';

/** Collects the diagnostic events of one transaction, or drops them if they were not requested. */
export class DiagnosticLog {
  readonly enabled: boolean;
  readonly events: xdr.DiagnosticEvent[] = [];

  constructor(enabled: boolean) {
    this.enabled = enabled;
  }

  push(event: xdr.DiagnosticEvent): void {
    if (this.enabled) this.events.push(event);
  }

  /** Records why the engine itself refused something; numbers are appended as `u64`. */
  error(
    area: ErrorArea,
    code: ErrorCode,
    message: string,
    values: readonly (number | bigint | xdr.ScVal)[] = [],
  ): void {
    if (!this.enabled) return;
    const error = xdr.ScError[area](xdr.ScErrorCode[code]);
    const args = values.map((value) =>
      typeof value === 'object' ? value : xdr.ScVal.scvU64(BigInt(value)),
    );
    this.events.push(errorEvent(error, message, args));
  }
}
