// As much of next/server as route handlers show.
export declare class NextRequest extends Request {
  get nextUrl(): URL;
}

export declare class NextResponse<Body = unknown> extends Response {
  #body: Body | undefined;
  constructor(body?: BodyInit | null, init?: ResponseInit & { url?: string });
  static redirect(url: string | URL, init?: number | ResponseInit): NextResponse<unknown>;
  static json<JsonBody>(body: JsonBody, init?: ResponseInit): NextResponse<JsonBody>;
}
