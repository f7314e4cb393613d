/** An answer of a facilitator, as tests read it. */
export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly isValid?: boolean;
    readonly invalidReason?: string;
    readonly success?: boolean;
    readonly transaction?: string;
    readonly network?: string;
    readonly amount?: string;
    readonly payer?: string;
    readonly errorReason?: string | null;
    readonly errorMessage?: string;
    readonly invalidMessage?: string;
    readonly error?: string;
    readonly reason?: string;
    readonly extra?: {
      readonly code: string;
      readonly cause: string;
      readonly moneyMoved: string;
      readonly transaction?: string;
      readonly payableUntil?: number;
    };
  };
}

/** Posts a body, as JSON unless it is text already. */
export async function post(
  base: string,
  path: string,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<Posted> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Posted['body'],
  };
}
