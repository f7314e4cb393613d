/** Milliseconds since the epoch by PostgreSQL's clock, which is the same for all instances. */
export const DATABASE_NOW = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';
