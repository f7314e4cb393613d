/** The parts of a row that contain information. */
export interface SpokenParts {
  readonly label: string;
  readonly description?: string;
  readonly spoken?: string;
}

/**
 * The text that a screen reader reads for a row. Without it, editors read the tooltip instead of the label, and never what the
 * row shows.
 */
export function spokenLabel({ label, description, spoken }: SpokenParts): string {
  const shown =
    description === undefined || description === '' ? label : `${label}, ${description}`;
  return spoken === undefined || spoken.includes(label) ? (spoken ?? shown) : `${shown}. ${spoken}`;
}
