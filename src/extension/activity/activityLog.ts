import type { Activity } from './activityOf.ts';

/** Recent payment activity, by endpoint. */
export interface ActivityLog {
  note(activity: Activity): void;
  /** Endpoints with activity, most recent first. */
  readonly urls: readonly string[];
  /**
   * Activity of an endpoint, newest first.
   * @param fits whether a URL belongs to that endpoint
   */
  of(fits: (url: string) => boolean): readonly Activity[];
}

/** URLs come from buyers, so the memory that they can fill is bounded. */
const MAX_URLS = 50;
const MAX_EACH = 100;

/** @param onNote called after each new entry */
export function createActivityLog(onNote: (url: string) => void): ActivityLog {
  const byUrl = new Map<string, readonly Activity[]>();
  return {
    note(activity) {
      const { url, kind, hash } = activity;
      const before = byUrl.get(url) ?? [];
      // A settlement made here is reported here and in the log of the service.
      const known =
        kind === 'settled' && before.some((one) => one.kind === kind && one.hash === hash);
      if (known) return;
      byUrl.delete(url);
      byUrl.set(url, [activity, ...before].slice(0, MAX_EACH));
      const [oldest] = byUrl.keys();
      if (byUrl.size > MAX_URLS && oldest !== undefined) byUrl.delete(oldest);
      onNote(url);
    },
    get urls() {
      return [...byUrl.keys()].reverse();
    },
    of(fits) {
      const found = [...byUrl].flatMap(([url, activities]) => (fits(url) ? activities : []));
      return found.sort((a, b) => b.at - a.at).slice(0, MAX_EACH);
    },
  };
}
