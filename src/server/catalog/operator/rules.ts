import type { Queryable } from '../../store/index.ts';

/** A resource, origin or recipient that the operator keeps out of the catalog. */
export interface CatalogRule {
  readonly kind: 'resource' | 'origin' | 'recipient';
  readonly value: string;
  /** The operator's own words; may be empty. */
  readonly reason: string;
  /** ISO 8601. */
  readonly madeAt: string;
}

/** Returns all rules, latest first. */
export async function readRules(within: Queryable): Promise<readonly CatalogRule[]> {
  const rows = await within.all<{
    kind: CatalogRule['kind'];
    value: string;
    reason: string;
    made_at: number;
  }>('SELECT kind, value, reason, made_at FROM catalog_rules ORDER BY made_at DESC, value');
  return rows.map(({ made_at, ...rule }) => ({
    ...rule,
    madeAt: new Date(made_at).toISOString(),
  }));
}
