import type { PageRecord } from './page.ts';

/** Takes records until a page is full. */
export function takePage<T>(
  values: Iterable<T>,
  limit: number,
  write: (value: T) => PageRecord | undefined,
): PageRecord[] {
  const page: PageRecord[] = [];
  for (const value of values) {
    const record = write(value);
    if (record !== undefined) page.push(record);
    if (page.length === limit) break;
  }
  return page;
}
