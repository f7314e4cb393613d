import * as z from 'zod/mini';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { ReadError } from '../http/index.ts';
import type { Report, ReportItem } from '../report/index.ts';
import { t } from '../words/index.ts';

const validationSchema = z.looseObject({
  wouldBeListed: z.boolean(),
  resource: z.optional(z.string()),
  listed: z.optional(z.unknown()),
  rules: z.array(
    z.looseObject({
      rule: z.string(),
      outcome: z.string(),
      detail: z.optional(z.string()),
      mend: z.optional(z.string()),
    }),
  ),
});

export type ListingValidation = z.infer<typeof validationSchema>;

/** Asks the catalog which of its rules an endpoint meets. @throws ReadError */
export async function validateListing(
  facilitatorUrl: string,
  url: string,
  transport: HttpTransport,
): Promise<ListingValidation> {
  const response = await transport({
    method: 'POST',
    url: `${facilitatorUrl}/discovery/validate`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  }).catch((cause: unknown) => {
    throw new ReadError(t('{0} cannot be reached.', facilitatorUrl), 0, { cause });
  });
  const parsed = z.safeParse(validationSchema, parseJson(await response.text()));
  if (parsed.success) return parsed.data;
  throw new ReadError(
    response.status === 404
      ? t('This facilitator cannot explain why an endpoint is not listed.')
      : t('{0} responded with {1}.', facilitatorUrl, response.status),
    response.status,
  );
}

/** The catalog's answer as a page: each rule, and how to fix failures. */
export function describeListing(url: string, validation: ListingValidation): Report {
  const { wouldBeListed, listed, rules, resource } = validation;
  const verdict = listed
    ? t('It is listed.')
    : wouldBeListed
      ? t('It meets every rule and will be listed with its next settled payment. Test it once.')
      : t('A payment would not get this endpoint listed.');
  const facts: ReportItem[] = [{ label: 'URL', value: url }];
  if (resource !== undefined && resource !== url) {
    facts.push({ label: t('Listed as'), value: resource });
  }
  return {
    title: t('Why is my endpoint not listed?'),
    verdict,
    good: Boolean(listed) || wouldBeListed,
    sections: [
      { title: t('Endpoint'), items: facts },
      {
        title: t('Catalog rules'),
        items: rules.map(({ rule, outcome, detail = '', mend }) => ({
          label: rule,
          state: stateOf(outcome),
          value: detail,
          ...(mend === undefined ? {} : { next: { text: mend } }),
        })),
      },
    ],
  };
}

function stateOf(outcome: string): NonNullable<ReportItem['state']> {
  return outcome === 'passed' || outcome === 'failed' || outcome === 'warning'
    ? outcome
    : 'skipped';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
