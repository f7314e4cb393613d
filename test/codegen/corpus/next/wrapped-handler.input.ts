import { withAuth } from '@/lib/auth';

export const POST = withAuth(async (request: Request) => {
  const body = (await request.json()) as { prompt: string; steps?: number };
  return Response.json({ done: body.prompt });
});
