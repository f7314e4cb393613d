/** The parts of a row that say something. */
export interface SpokenParts {
  readonly label: string;
  readonly description?: string;
  readonly spoken?: string;
}

/**
 * What a screen reader says of a row. Without it editors say the tooltip in place of the label: what
 * the row shows would never be heard.
 */
export function spokenLabel({ label, description, spoken }: SpokenParts): string {
  const shown =
    description === undefined || description === '' ? label : `${label}, ${description}`;
  return spoken === undefined || spoken.includes(label) ? (spoken ?? shown) : `${shown}. ${spoken}`;
}
