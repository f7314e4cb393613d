import type { Edit } from '../../source/edit.ts';
import type { ExportedReading } from '../reading/exportedReading.ts';
import type { GateReading, SettingsReading } from '../reading/paidBlocks.ts';
import type { Place } from '../reading/places.ts';
import type { RegisteredReading } from '../reading/registeredReading.ts';

/** Which change puts the payment before the route. */
export type Decision = NewGate | MoreKeys | WrappedExport;

/** A gate of its own in front of the route. */
export interface NewGate {
  readonly kind: 'newGate';
  readonly registered: RegisteredReading;
  readonly place: Place;
  /** Where the settings have to stand. */
  readonly top: Place;
  /** The settings of the file stand too low, and move up there. */
  readonly moved: SettingsReading | undefined;
  /** What is inserted first begins here. */
  readonly before: number;
}

/** One more key in the map of a gate that stands already, which may have to move up. */
export interface MoreKeys {
  readonly kind: 'moreKeys';
  readonly registered: RegisteredReading;
  readonly gate: GateReading;
  readonly settings: SettingsReading;
  /** Where the gate moves to. */
  readonly movesTo: number | undefined;
  /** Where the gate begins in the end. */
  readonly before: number;
}

/** An exported handler that is wrapped at the end of the file. */
export interface WrappedExport {
  readonly kind: 'wrappedExport';
  readonly exported: ExportedReading;
  /** What the handler is called from now on. */
  readonly impl: string;
  /** Takes the export away from the handler. */
  readonly released: readonly Edit[];
}
