/** What `x402_call` reports to programs, with the body that it shows to models. */
export interface Said {
  readonly outcome: string;
  readonly code: string | null;
  readonly alreadyPaid: boolean;
  readonly status: number | null;
  /** `null` if it is not text. */
  readonly body: string | null;
  readonly bodyType: string | null;
  readonly bodyBytes: number;
  readonly bodyCut: boolean;
  readonly file: string | null;
  readonly receipt: {
    readonly method: string;
    readonly url: string;
    readonly outcome: string;
    readonly transaction: string | null;
    readonly delivered: boolean;
  } | null;
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly mimeType?: string;
  readonly data?: string;
  readonly resource?: { readonly uri: string; readonly mimeType: string; readonly blob: string };
}

/** Reads a result of `x402_call`: the text, the parts that are not text, and what is there for programs. */
export function readCall(result: object) {
  const { content, isError, _meta } = result as {
    content: readonly Part[];
    isError?: boolean;
    _meta?: Readonly<Record<string, unknown>>;
  };
  const text = content
    .map((part) => part.text ?? '')
    .join('\n')
    .trimEnd();
  const [notice = '', last = ''] = text.split('\n').slice(-2);
  const body = notice.endsWith('in quotes:') ? (JSON.parse(last) as string) : null;
  const said = { ...(_meta?.['svc-x402/call'] as Omit<Said, 'body'>), body };
  return {
    text,
    said,
    isError: isError ?? false,
    parts: content.filter(({ type }) => type !== 'text'),
  };
}
