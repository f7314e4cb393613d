import type { xdr } from '@stellar/stellar-sdk';
import { metricEvent } from '../diagnostics/diagnosticLog.ts';

/**
 * The metrics that the engine counts for an invocation: they are reported in diagnostic events and checked against the limits
 * on bytes (stellar-core `HostFunctionMetrics`).
 */
export class InvocationMetrics {
  #readEntries = 0;
  #writeEntries = 0;
  #readBytes = 0;
  #writeBytes = 0;
  #readKeyBytes = 0;
  #readDataBytes = 0;
  #writeDataBytes = 0;
  #readCodeBytes = 0;
  #writeCodeBytes = 0;
  #events = 0;
  #eventBytes = 0;
  #maxKeyBytes = 0;
  #maxDataBytes = 0;
  #maxCodeBytes = 0;
  #maxEventBytes = 0;
  cpuInstructions = 0;
  memoryBytes = 0;
  success = false;

  get readBytes(): number {
    return this.#readBytes;
  }

  get writeBytes(): number {
    return this.#writeBytes;
  }

  /** Events and, once known, the return value. */
  get eventBytes(): number {
    return this.#eventBytes;
  }

  /** Records the read of an in-memory entry: live contract data or code. */
  noteMemoryRead(): void {
    this.#readEntries += 1;
  }

  noteDiskRead(isCode: boolean, keyBytes: number, entryBytes: number): void {
    this.#readEntries += 1;
    this.#readKeyBytes += keyBytes;
    this.#readBytes += entryBytes;
    if (isCode) this.#readCodeBytes += entryBytes;
    else this.#readDataBytes += entryBytes;
    this.#noteLargest(isCode, keyBytes, entryBytes);
  }

  noteWrite(isCode: boolean, keyBytes: number, entryBytes: number): void {
    this.#writeEntries += 1;
    this.#writeBytes += entryBytes;
    if (isCode) this.#writeCodeBytes += entryBytes;
    else this.#writeDataBytes += entryBytes;
    this.#noteLargest(isCode, keyBytes, entryBytes);
  }

  noteEvent(bytes: number): void {
    this.#events += 1;
    this.#eventBytes += bytes;
    this.#maxEventBytes = Math.max(this.#maxEventBytes, bytes);
  }

  noteReturnValue(bytes: number): void {
    this.#eventBytes += bytes;
  }

  /** In the order of stellar-core's events. Time is not deterministic, and is reported as zero. */
  toEvents(): xdr.DiagnosticEvent[] {
    const values: readonly (readonly [string, number])[] = [
      ['read_entry', this.#readEntries],
      ['write_entry', this.#writeEntries],
      ['ledger_read_byte', this.#readBytes],
      ['ledger_write_byte', this.#writeBytes],
      ['read_key_byte', this.#readKeyBytes],
      ['write_key_byte', 0],
      ['read_data_byte', this.#readDataBytes],
      ['write_data_byte', this.#writeDataBytes],
      ['read_code_byte', this.#readCodeBytes],
      ['write_code_byte', this.#writeCodeBytes],
      ['emit_event', this.#events],
      ['emit_event_byte', this.#eventBytes],
      ['cpu_insn', this.cpuInstructions],
      ['mem_byte', this.memoryBytes],
      ['invoke_time_nsecs', 0],
      ['max_rw_key_byte', this.#maxKeyBytes],
      ['max_rw_data_byte', this.#maxDataBytes],
      ['max_rw_code_byte', this.#maxCodeBytes],
      ['max_emit_event_byte', this.#maxEventBytes],
    ];
    return values.map(([name, value]) => metricEvent(this.success, name, value));
  }

  #noteLargest(isCode: boolean, keyBytes: number, entryBytes: number): void {
    this.#maxKeyBytes = Math.max(this.#maxKeyBytes, keyBytes);
    if (isCode) this.#maxCodeBytes = Math.max(this.#maxCodeBytes, entryBytes);
    else this.#maxDataBytes = Math.max(this.#maxDataBytes, entryBytes);
  }
}
