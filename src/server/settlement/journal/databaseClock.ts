/** Milliseconds since the epoch by PostgreSQL's clock, of which no instance's clock can be off. */
export const DATABASE_NOW = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';
