import type { AnswerShown } from './answerShown.ts';
import { buildRequest } from './builtRequest.ts';
import { withoutSecrets } from './history.ts';
import { formFor, type RequestForm } from './requestForm.ts';

/**
 * The request to where a response points, as a browser would send it: 303, and a POST after 301 and 302, become a GET, and another
 * origin gets no headers that may hold secrets.
 * @returns `undefined` if the response points nowhere
 */
export function redirectForm(
  form: RequestForm,
  answer: Pick<AnswerShown, 'status' | 'headers'> | undefined,
): RequestForm | undefined {
  const location = answer?.headers.find(({ name }) => /^location$/i.test(name))?.value;
  const sent = buildRequest(form);
  if (answer === undefined || location === undefined || !sent.ok) return undefined;
  const target = resolved(location, sent.request.url);
  if (target === undefined) return undefined;
  const { status } = answer;
  const { method } = sent.request;
  const becomesGet = status === 303 ? method !== 'HEAD' : status <= 302 && method === 'POST';
  const next = formFor(becomesGet ? 'GET' : method, '', undefined);
  const isOther = target.origin !== new URL(sent.request.url).origin;
  const kept = isOther ? withoutSecrets(form) : form;
  // Nothing in the address is a parameter, and its query stays byte for byte: it can be signed.
  return {
    ...next,
    url: target.href,
    headers: kept.headers,
    body: kept.body,
    timeLimit: kept.timeLimit,
  };
}

function resolved(location: string, from: string): URL | undefined {
  try {
    const target = new URL(location, from);
    return /^https?:$/.test(target.protocol) ? target : undefined;
  } catch {
    return undefined;
  }
}
