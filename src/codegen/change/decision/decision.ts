import type { Edit } from '../../source/edit.ts';
import type { ExportedReading } from '../reading/exportedReading.ts';
import type { GateReading, SettingsReading } from '../reading/paidBlocks.ts';
import type { Place } from '../reading/places.ts';
import type { RegisteredReading } from '../reading/registeredReading.ts';

/** The change that puts the payment before the route. */
export type Decision = NewGate | MoreKeys | WrappedExport;

/** A new gate in front of the route. */
export interface NewGate {
  readonly kind: 'newGate';
  readonly registered: RegisteredReading;
  readonly place: Place;
  /** Place for the settings. */
  readonly top: Place;
  /** The file's settings are below this place and move up to it. */
  readonly moved: SettingsReading | undefined;
  /** Offset of the first insertion. */
  readonly before: number;
}

/** Another key in the map of an existing gate, which might have to move up. */
export interface MoreKeys {
  readonly kind: 'moreKeys';
  readonly registered: RegisteredReading;
  readonly gate: GateReading;
  readonly settings: SettingsReading;
  /** New place of the gate. */
  readonly movesTo: number | undefined;
  /** Offset where the gate starts after the change. */
  readonly before: number;
}

/** A wrapper around an exported handler, at the end of the file. */
export interface WrappedExport {
  readonly kind: 'wrappedExport';
  readonly exported: ExportedReading;
  /** New name of the handler. */
  readonly impl: string;
  /** Removes the handler's export. */
  readonly released: readonly Edit[];
}
