/** A part of the specification, and what it demands. */
export interface DemandSection {
  /** Headings of the specification that the section covers, word for word. */
  readonly headings: readonly string[];
  /** Rule → the demand. */
  readonly demands: Readonly<Record<string, string>>;
}
