/** A package or crate that ships. */
export interface Shipped {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, from its manifest. */
  readonly licence: string;
  /** The bundles, or the folders of Rust, that contain it. */
  readonly in: readonly string[];
}

export interface BillOfMaterials {
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly licenses: readonly { readonly expression: string }[];
  }[];
}

export function isPermissive(expression: string): boolean;
export function bundledPackages(): readonly Shipped[];
export function crates(): readonly Shipped[];
export function sbom(packages: readonly Shipped[], rust: readonly Shipped[]): BillOfMaterials;
export function licencesPage(packages: readonly Shipped[], rust: readonly Shipped[]): string;
